import { z } from 'zod';
import {
  isQualifiedName,
  LABEL_VALUE_MAX_LENGTH,
  LABEL_VALUE_PATTERN,
  QUALIFIED_NAME_PATTERN,
} from '../kubernetes/labels.ts';

const MAX_KEYS = 64;
/** 64 of them stay below the 256 KiB that the API server allows for all annotations of an object. */
const ANNOTATION_VALUE_MAX_LENGTH = 4096;

const KEY_EXPECTED =
  'expected keys of at most 63 letters, digits, "-", "_" or "." after an optional DNS name and "/"';
const LABEL_VALUE_EXPECTED =
  'expected at most 63 letters, digits, "-", "_" or ".", starting and ending with a letter or digit';

/** A map whose keys are qualified names: labels, annotations, resources. The CRD says so by CEL, for schemas know no keys. */
export function qualifiedMap<V>(value: z.ZodType<V>, description: string, maxKeys: number) {
  return z
    .record(z.string(), value)
    .superRefine((map, context) => {
      const keys = Object.keys(map);
      if (keys.length > maxKeys)
        context.addIssue({ code: 'custom', message: `expected at most ${maxKeys} keys` });
      for (const key of keys.filter((candidate) => !isQualifiedName(candidate)))
        context.addIssue({ code: 'custom', path: [key], message: KEY_EXPECTED });
    })
    .meta({
      description,
      maxProperties: maxKeys,
      'x-kubernetes-validations': [
        { rule: `self.all(key, key.matches(r'${QUALIFIED_NAME_PATTERN}'))`, message: KEY_EXPECTED },
      ],
    });
}

/** Labels, of an object or of pods. */
export function labelMap(description: string) {
  const value = z
    .string()
    .max(LABEL_VALUE_MAX_LENGTH)
    .regex(new RegExp(LABEL_VALUE_PATTERN), LABEL_VALUE_EXPECTED)
    .meta({ description: 'Label value.' });
  return qualifiedMap(value, description, MAX_KEYS);
}

/** Annotations, whose values may hold any text. */
export function annotationMap(description: string) {
  const value = z.string().max(ANNOTATION_VALUE_MAX_LENGTH).meta({ description: 'Annotation value.' });
  return qualifiedMap(value, description, MAX_KEYS);
}
