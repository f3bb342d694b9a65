import { z } from 'zod';
import { isRecord } from '../foundation/record.ts';
import { fieldPath } from './problems.ts';

/**
 * Paths of the fields that a wire schema does not know, in the order in which they came. The API server prunes them (and
 * kubectl refuses them when strict); a body by curl still has them, and a misspelt field must not pass unseen.
 */
export function unknownFields(schema: z.core.$ZodType, value: unknown, path: string): readonly string[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject && isRecord(value)) {
    const shape: Readonly<Record<string, z.core.$ZodType>> = inner.shape;
    return Object.entries(value).flatMap(([key, field]) => {
      const known = Object.hasOwn(shape, key) ? shape[key] : undefined;
      const at = fieldPath(path, [key]);
      return known === undefined ? [at] : unknownFields(known, field, at);
    });
  }
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((item, index) => unknownFields(inner.element, item, fieldPath(path, [index])));
  }
  return [];
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? unwrap(schema.unwrap()) : schema;
}
