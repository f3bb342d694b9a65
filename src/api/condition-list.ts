import { z } from 'zod';

/** The wire schema of meta/v1 conditions in a status; bounds as in k8s.io/apimachinery's meta/v1 Condition. */
export const conditionListSchema = z
  .array(
    z
      .object({
        type: z.string().max(316).meta({ description: 'What the condition is about, CamelCase.' }),
        status: z.enum(['True', 'False', 'Unknown']).meta({ description: 'True, False or Unknown.' }),
        reason: z.string().max(1024).meta({ description: 'Why, in one CamelCase word.' }),
        message: z.string().max(32_768).meta({ description: 'Why, for a person.' }),
        lastTransitionTime: z
          .string()
          .meta({ description: 'When the status last changed, RFC 3339.', format: 'date-time' }),
        observedGeneration: z
          .int()
          .min(0)
          .meta({ description: 'metadata.generation of the spec that the condition is about.' })
          .optional(),
      })
      .meta({ description: 'One aspect of the state.' }),
  )
  .max(32)
  .meta({
    description: 'What is known about the object, the most important first.',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
  });
