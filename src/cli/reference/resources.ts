import { balancerObjectRules, balancerSpecSchema, balancerStatusSchema } from '../../api/balancer.ts';
import type { PrinterColumn, ResourceDefinition } from './crd.ts';

const AGE: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

export const BALANCER: ResourceDefinition = {
  group: 'materialize.cloud',
  version: 'v1alpha1',
  kind: 'Balancer',
  plural: 'balancers',
  singular: 'balancer',
  description: "Pods of Materialize's balancerd in front of one environment.",
  columns: [
    {
      name: 'Ready',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Ready")].status',
      description: 'Whether the deployment is ready',
    },
    AGE,
    {
      name: 'ImageRef',
      type: 'string',
      jsonPath: '.spec.balancerdImageRef',
      description: 'Reference to the Docker image.',
      priority: 1,
    },
  ],
  rules: balancerObjectRules,
  spec: balancerSpecSchema,
  status: balancerStatusSchema,
};
