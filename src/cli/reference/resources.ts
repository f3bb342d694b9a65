import { balancerObjectRules, balancerSpecSchema, balancerStatusSchema } from '../../api/balancer.ts';
import { rebalanceStatusSchema } from '../../api/rebalance-status.ts';
import { rebalanceSpecSchema } from '../../api/rebalance.ts';
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

export const REBALANCE: ResourceDefinition = {
  group: 'rebalancer.ch1aki.github.io',
  version: 'v1',
  kind: 'Rebalance',
  plural: 'rebalances',
  singular: 'rebalance',
  description: 'The weight of one Route 53 record, steered by one Prometheus query.',
  columns: [
    {
      name: 'Desired',
      type: 'integer',
      jsonPath: '.status.desiredValue',
      description: 'The weight wanted.',
    },
    { name: 'Actual', type: 'integer', jsonPath: '.status.actualValue', description: 'The weight in DNS.' },
    {
      name: 'Metric',
      type: 'string',
      jsonPath: '.status.metric.value',
      description: 'The last usable sample of the query.',
    },
    {
      name: 'Ready',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Ready")].status',
      description: 'Whether the last evaluation did what was wanted.',
    },
    AGE,
    {
      name: 'Last Update',
      type: 'date',
      jsonPath: '.status.lastUpdateAt',
      description: 'When the weight was last changed by us.',
      priority: 1,
    },
    {
      name: 'Condition',
      type: 'string',
      jsonPath: '.status.condition',
      description: 'Healthy, Unhealthy or Error.',
      priority: 1,
    },
    {
      name: 'Dry Run',
      type: 'boolean',
      jsonPath: '.spec.dryRun',
      description: 'Whether nothing is written.',
      priority: 1,
    },
  ],
  rules: [],
  spec: rebalanceSpecSchema,
  status: rebalanceStatusSchema,
};
