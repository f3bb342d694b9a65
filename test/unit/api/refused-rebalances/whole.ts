import { POLICY, withPart, type Refused } from '../../../support/rebalance-wire.ts';

/** What is wrong with a spec as a whole: its parts, its interval, its behaviour, what it does on failure. */
export const refusedAsAWhole: readonly Refused[] = [
  { name: 'no spec at all', spec: undefined, problems: ['spec: is required'] },
  { name: 'a spec of null', spec: null, problems: ['spec: is required'] },
  { name: 'a spec that is a list', spec: [], problems: ['spec: expected an object'] },
  {
    name: 'an empty spec: every part that is missing is named',
    spec: {},
    problems: ['spec.policy: is required', 'spec.target: is required', 'spec.metrics: is required'],
  },
  {
    name: 'a policy without its one key',
    spec: withPart('policy', {}),
    problems: ['spec.policy.targettracking: is required'],
  },
  {
    name: 'a target of another kind',
    spec: withPart('target', { cloudflare: {} }),
    problems: ['spec.target.route53: is required'],
  },
  {
    name: 'metrics without a source',
    spec: withPart('metrics', { prometheus: null }),
    problems: ['spec.metrics.prometheus: is required'],
  },
  {
    name: 'an interval that is no duration',
    spec: withPart('interval', 'soon'),
    problems: ['spec.interval: expected a Go duration such as 90s or 1h30m'],
  },
  {
    name: 'an interval below 1s',
    spec: withPart('interval', '999ms'),
    problems: ['spec.interval: expected a duration from 1s to 24h'],
  },
  {
    name: 'an interval above 24h',
    spec: withPart('interval', '24h1s'),
    problems: ['spec.interval: expected a duration from 1s to 24h'],
  },
  {
    name: 'a negative interval',
    spec: withPart('interval', '-1m'),
    problems: ['spec.interval: expected a Go duration such as 90s or 1h30m'],
  },
  {
    name: 'an interval that is a number',
    spec: withPart('interval', 60),
    problems: ['spec.interval: expected a string'],
  },
  {
    name: 'a selectPolicy without policies to select from',
    spec: withPart('behavior', { increase: { selectPolicy: 'Min' } }),
    problems: ['spec.behavior.increase: selectPolicy Max or Min needs policies to select from'],
  },
  {
    name: 'a window and policies beyond what is remembered',
    spec: withPart('behavior', {
      decrease: {
        stabilizationWindowSeconds: 3601,
        policies: [
          { type: 'Weight', value: 1, periodSeconds: 1801 },
          { type: 'Pods', value: 0, periodSeconds: 60 },
        ],
        selectPolicy: 'max',
      },
    }),
    problems: [
      'spec.behavior.decrease.stabilizationWindowSeconds: expected at most 3600',
      'spec.behavior.decrease.policies[0].periodSeconds: expected at most 1800',
      'spec.behavior.decrease.policies[1].type: expected one of Weight, Percent',
      'spec.behavior.decrease.policies[1].value: expected at least 1',
      'spec.behavior.decrease.selectPolicy: expected one of Max, Min, Disabled',
    ],
  },
  {
    name: 'action Weight without a weight',
    spec: withPart('onFailure', { action: 'Weight' }),
    problems: ['spec.onFailure: weight is needed for action Weight, and for no other'],
  },
  {
    name: 'a weight without action Weight',
    spec: withPart('onFailure', { weight: 5 }),
    problems: ['spec.onFailure: weight is needed for action Weight, and for no other'],
  },
  {
    name: 'a threshold below 0',
    spec: withPart('onFailure', { threshold: -1 }),
    problems: ['spec.onFailure.threshold: expected at least 0'],
  },
  {
    name: 'several things at once: all are told',
    spec: { ...withPart(`${POLICY}.targetValue`, -1), interval: 'x', dryRun: 'yes' },
    problems: [
      'spec.dryRun: expected true or false',
      'spec.interval: expected a Go duration such as 90s or 1h30m',
      'spec.policy.targettracking.targetValue: expected a number above 0',
    ],
  },
];
