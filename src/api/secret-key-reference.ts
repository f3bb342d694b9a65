import { z } from 'zod';
import {
  DNS_LABEL_MAX_LENGTH,
  DNS_LABEL_PATTERN,
  DNS_SUBDOMAIN_MAX_LENGTH,
  DNS_SUBDOMAIN_PATTERN,
} from '../kubernetes/names.ts';

const SECRET_KEY_PATTERN = /^[-._a-zA-Z0-9]+$/;

/** A key of a Secret, as the original spells it. */
export function secretKeyReference(description: string) {
  return z
    .object({
      name: z
        .string()
        .min(1)
        .max(DNS_SUBDOMAIN_MAX_LENGTH)
        .regex(
          new RegExp(DNS_SUBDOMAIN_PATTERN),
          'expected the name of a Secret: lower case letters, digits, "-" and "."',
        )
        .meta({ description: 'Name of the Secret.' }),
      key: z
        .string()
        .min(1)
        .max(253)
        .regex(SECRET_KEY_PATTERN, 'expected a key of a Secret: letters, digits, "-", "_" and "."')
        .meta({ description: 'Key in its data.' }),
      namespace: z
        .string()
        .max(DNS_LABEL_MAX_LENGTH)
        .regex(
          new RegExp(DNS_LABEL_PATTERN),
          'expected the name of a namespace: lower case letters, digits and "-"',
        )
        .meta({
          description:
            "Namespace of the Secret; the object's own where absent. Another one is refused unless the operator allows it.",
        })
        .optional(),
    })
    .meta({ description });
}
