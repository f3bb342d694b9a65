import { z } from 'zod';
import type { ResourceRequirements } from '../balancer/settings.ts';
import type { Result } from '../foundation/result.ts';
import {
  canonicalQuantity,
  QUANTITY_EXPECTED,
  QUANTITY_MAX_LENGTH,
  QUANTITY_PATTERN,
} from '../kubernetes/quantity.ts';
import { parseJsonSetting } from './json-setting.ts';
import { qualifiedMap } from './metadata-maps.ts';

/**
 * A quantity on the wire: a text, or an integer (a number of any kind by curl). A structural schema says "either" in this
 * one way only: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#intorstring
 */
const quantity = z
  .unknown()
  .transform((input, context) => {
    const canonical =
      typeof input === 'string' || typeof input === 'number' ? canonicalQuantity(input) : undefined;
    if (canonical !== undefined) return canonical;
    context.addIssue({ code: 'custom', message: QUANTITY_EXPECTED });
    return z.NEVER;
  })
  .meta({
    description: 'A quantity such as 500m, 2 or 1.5Gi.',
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    'x-kubernetes-int-or-string': true,
    pattern: QUANTITY_PATTERN,
    maxLength: QUANTITY_MAX_LENGTH,
  });

const MAX_RESOURCES = 32;

/** core/v1 ResourceRequirements; comes out with quantities in the API server's own form. */
export const resourceRequirementsSchema = z.object({
  limits: qualifiedMap(quantity, 'The most that a container may use, by resource.', MAX_RESOURCES).optional(),
  requests: qualifiedMap(
    quantity,
    'What is reserved for a container, by resource.',
    MAX_RESOURCES,
  ).optional(),
  claims: z
    .array(
      z
        .object({
          name: z
            .string()
            .min(1)
            .max(63)
            .meta({ description: "Name of an entry of the pod's resource claims." }),
          request: z
            .string()
            .max(63)
            .meta({ description: 'Name of a request within the claim; absent means all of it.' })
            .optional(),
        })
        .meta({ description: 'A claim that a container uses.' }),
    )
    .max(32)
    .meta({ description: 'Dynamic resource claims that a container uses.' })
    .optional(),
});

/**
 * The value of `--balancerd-default-resources`: core/v1 ResourceRequirements as a JSON object. Null is absent, unknown keys
 * are ignored. The error is a clause that follows "expected".
 */
export function parseDefaultResources(json: string): Result<ResourceRequirements, string> {
  return parseJsonSetting(resourceRequirementsSchema, json, 'resources');
}
