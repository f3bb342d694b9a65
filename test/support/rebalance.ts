import assert from 'node:assert/strict';
import { parseRebalanceSpec } from '../../src/api/rebalance.ts';
import { parseRational } from '../../src/foundation/rational.ts';
import { decide, type Observation } from '../../src/rebalance/decide.ts';
import type { Attempt, Decision, Outcome, WriteForbidden } from '../../src/rebalance/decision.ts';
import { nextStatus } from '../../src/rebalance/next-status.ts';
import type { Sample, Samples } from '../../src/rebalance/sample.ts';
import type { RebalanceSpec } from '../../src/rebalance/spec.ts';
import type { RebalanceStatus } from '../../src/rebalance/status.ts';
import type { TargetFailure, WeightedRecord, WeightedSet } from '../../src/rebalance/targets/port.ts';
import { weight } from '../../src/rebalance/weight.ts';

/** A fixed noon, a Wednesday. */
export const NOON = Date.parse('2026-03-04T12:00:00Z');
export const MINUTE = 60_000;

/** The README example of the original as it goes over the wire, with fields of its policy replaced. */
export function wireSpec(
  policy: Readonly<Record<string, unknown>> = {},
  rest: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    interval: '1m',
    policy: { targettracking: { targetValue: 1000, baseValue: 8, ...policy } },
    target: {
      route53: {
        hostedZoneID: 'hostedzone/Z0123456789',
        region: 'ap-northeast-1',
        resource: { name: 'example.com', type: 'A', identifier: 'aws' },
      },
    },
    metrics: { prometheus: { address: 'http://prometheus:9090', query: 'scalar(load)', timeout: 3 } },
    ...rest,
  };
}

/** The domain spec of `wireSpec`. */
export function specOf(
  policy: Readonly<Record<string, unknown>> = {},
  rest: Readonly<Record<string, unknown>> = {},
): RebalanceSpec {
  return readSpec(wireSpec(policy, rest));
}

/** The domain spec of one that goes over the wire and is valid. */
export function readSpec(wire: unknown): RebalanceSpec {
  const parsed = parseRebalanceSpec(wire);
  assert.ok(parsed.ok, `not a valid spec: ${parsed.ok ? '' : JSON.stringify(parsed.error)}`);
  return parsed.value.spec;
}

export function usable(text: string): Sample {
  const value = parseRational(text);
  assert.ok(value !== undefined, `${text} is no decimal`);
  return { kind: 'Usable', value, text, fromNoData: false };
}

/** What a spec without additional metrics and guards gets. */
export function only(sample: Sample): Samples {
  return { sample, additionalSamples: [], guardSamples: [] };
}

export const ABSENT: Sample = { kind: 'Absent', reason: 'NoSeries', message: 'the query gave no series' };
export const FAILED: Sample = {
  kind: 'Failed',
  reason: 'MetricTimeout',
  message: 'Prometheus did not answer in time',
};

export const UNREACHABLE: TargetFailure = {
  reason: 'TargetUnreachable',
  message: 'no connection to Route 53',
  outcomeUnknown: false,
};

/** A set with our record (`aws`) of a weight and one other record (`onprem`, `other2`, ...) for each further weight. */
export function setOf(own: number, ...others: readonly number[]): WeightedSet {
  return {
    own: { records: [record('aws', own)], total: own },
    others: others.map((value, index) => record(index === 0 ? 'onprem' : `other${index + 1}`, value)),
  };
}

function record(identifier: string, value: number): WeightedRecord {
  return { identifier, weight: weight(value), ttlSeconds: 60, healthChecked: false };
}

/** Identifiers of several records of ours, in the order of the spec. */
const COLOURS = ['blue', 'green', 'red', 'white'];

/** `spec.target` with several records of ours (blue, green, ...) with these shares. */
export function severalTarget(shares: readonly number[]): Readonly<Record<string, unknown>> {
  const resources = shares.map((share, index) => ({ identifier: COLOURS[index], share }));
  const resource = { name: 'example.com', type: 'A' };
  return { route53: { hostedZoneID: 'Z0123456789', resource, resources } };
}

/** The README example with several records of ours, by default two with equal shares. */
export function severalSpec(
  shares: readonly number[] = [1, 1],
  policy: Readonly<Record<string, unknown>> = {},
  rest: Readonly<Record<string, unknown>> = {},
): RebalanceSpec {
  return specOf(policy, { target: severalTarget(shares), ...rest });
}

/** A set with records of ours (blue, green, ...) and others as in `setOf`. */
export function severalOf(own: readonly number[], ...others: readonly number[]): WeightedSet {
  const records = own.map((value, index) => record(COLOURS[index] ?? '', value));
  const total = own.reduce((sum, value) => sum + value, 0);
  return { ...setOf(0, ...others), own: { records, total } };
}

/** An observation of the README example: ours at 1, the reference at 8, 3000 measured; any part replaced. */
export function observe(parts: Partial<Observation> = {}): Observation {
  return {
    spec: specOf(),
    generation: 1,
    status: {},
    set: setOf(1, 8),
    sample: usable('3000'),
    additionalSamples: [],
    guardSamples: [],
    intervalMs: MINUTE,
    nowMs: NOON,
    writeForbidden: undefined,
    ...parts,
  };
}

/** What a shell that never fails makes of a decision. */
export function carryOut(decision: Decision, changeStatus: 'PENDING' | 'INSYNC' = 'INSYNC'): Outcome {
  return decision.effect.kind === 'WriteWeight'
    ? {
        kind: 'Accepted',
        weight: decision.effect.weight,
        records: decision.split,
        change: { id: 'C1', status: changeStatus },
      }
    : { kind: 'NotWritten', because: decision.effect.because };
}

/** An observation decided and carried out, as the attempt that it makes. */
export function attemptOf(
  observation: Observation,
  outcome?: Outcome,
): Extract<Attempt, { kind: 'Decided' }> {
  const { spec, sample, additionalSamples, guardSamples, set } = observation;
  const decision = decide(observation);
  const samples = { sample, additionalSamples, guardSamples };
  return { kind: 'Decided', spec, ...samples, set, decision, outcome: outcome ?? carryOut(decision) };
}

/** The status after an observation was decided and carried out. */
export function statusAfter(observation: Observation, outcome?: Outcome): RebalanceStatus {
  const { status: previous, generation, nowMs } = observation;
  return nextStatus({ previous, generation, attempt: attemptOf(observation, outcome), notices: [], nowMs });
}

/** The status after an attempt, so many minutes after noon, on the spec of that generation. */
export function afterAttempt(
  attempt: Attempt,
  previous: RebalanceStatus = {},
  { minutes = 1, generation = 1 } = {},
): RebalanceStatus {
  return nextStatus({ previous, generation, attempt, notices: [], nowMs: NOON + minutes * MINUTE });
}

export type { Observation, WriteForbidden };
