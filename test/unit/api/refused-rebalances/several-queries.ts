import { wireSpec } from '../../../support/rebalance.ts';
import {
  additional,
  guard,
  loadSpec,
  POLICY,
  query,
  withPart,
  type Refused,
} from '../../../support/rebalance-wire.ts';

/** What is wrong with signal load, with additional metrics and with guards. */
export const refusedSeveralQueries: readonly Refused[] = [
  {
    name: 'signal load without the window of its query',
    spec: withPart(`${POLICY}.signal`, 'load'),
    problems: ['spec: signal load needs metrics.prometheus.window: how far back the query looks'],
  },
  {
    name: 'signal load that takes silence for no load',
    spec: {
      ...withPart(`${POLICY}.signal`, 'load'),
      metrics: { prometheus: query({ window: '1m', noData: 'Zero' }) },
    },
    problems: ['spec: noData Zero is not for signal load: no data of a site is not a site without load'],
  },
  {
    name: 'signal load without the window of an additional query',
    spec: { ...loadSpec, additionalMetrics: [additional('cpu', {})] },
    problems: [
      'spec: signal load needs prometheus.window in each of additionalMetrics: how far back the query looks',
    ],
  },
  {
    name: 'signal load that takes the silence of an additional query for no load',
    spec: { ...loadSpec, additionalMetrics: [additional('cpu', { window: '0s', noData: 'Zero' })] },
    problems: [
      'spec: noData Zero in additionalMetrics is not for signal load: no data of a site is not a site without load',
    ],
  },
  {
    name: 'two additional metrics, and two guards, of one name',
    spec: {
      ...wireSpec(),
      additionalMetrics: [additional('cpu'), additional('cpu')],
      guards: [guard('errors'), guard('fresh'), guard('errors')],
    },
    problems: ['spec.additionalMetrics: expected each name once', 'spec.guards: expected each name once'],
  },
  {
    name: 'names that are no DNS labels, a target of 0, a guard that stops something else',
    spec: {
      ...wireSpec(),
      additionalMetrics: [{ ...additional('CPU'), targetValue: 0 }],
      guards: [{ ...guard(''), stops: 'All' }],
    },
    problems: [
      'spec.additionalMetrics[0].name: expected a name of lower case letters, digits and "-"',
      'spec.additionalMetrics[0].targetValue: expected a number above 0',
      'spec.guards[0].name: must not be empty',
      'spec.guards[0].stops: expected one of Increase, Decrease, Both',
    ],
  },
  {
    name: 'an additional metric and a guard without their queries',
    spec: {
      ...wireSpec(),
      additionalMetrics: [{ name: 'cpu', targetValue: 1 }],
      guards: [{ name: 'errors' }],
    },
    problems: [
      'spec.additionalMetrics[0].prometheus: is required',
      'spec.guards[0].prometheus: is required',
      'spec.guards[0].stops: expected one of Increase, Decrease, Both',
    ],
  },
  {
    name: 'more queries than eight of a kind',
    spec: { ...wireSpec(), guards: Array.from({ length: 9 }, (_, index) => guard(`guard-${index}`)) },
    problems: ['spec.guards: expected at most 8 items'],
  },
];
