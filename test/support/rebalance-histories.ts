import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readRebalanceStatus, rebalanceStatusSchema } from '../../src/api/rebalance-status.ts';
import { decide } from '../../src/rebalance/decide.ts';
import { boundsAt } from '../../src/rebalance/limits.ts';
import { followedMetrics } from '../../src/rebalance/followed-metrics.ts';
import { metricSamples, type Sample } from '../../src/rebalance/sample.ts';
import type { MoveRules, RebalanceSpec, StepPolicy } from '../../src/rebalance/spec.ts';
import type { DecisionStatus } from '../../src/rebalance/status.ts';
import { MAX_WEIGHT } from '../../src/rebalance/weight.ts';
import { ABSENT, FAILED, severalSpec, specOf, usable } from './rebalance.ts';
import { START, sumOf, take, takeAll, type Step, type Taken } from './rebalance-fold.ts';

const weightArb = fc.oneof(fc.constantFrom(0, 0, 1, 255), fc.integer({ min: 0, max: 255 }));

const sampleArb: fc.Arbitrary<Sample> = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 20_000 }).map((load) => usable(String(load))) },
  { weight: 1, arbitrary: fc.constantFrom('1e308', '-5', '0', '1e-300', '1e18', '999.999').map(usable) },
  { weight: 2, arbitrary: fc.constant(ABSENT) },
  { weight: 3, arbitrary: fc.constant(FAILED) },
);

const prometheus = { address: 'http://prometheus:9090', query: 'query', window: '1m' };

/** Targets around that of the first metric, so that each wins at times. */
const additionalArb = fc
  .array(fc.constantFrom(500, 1000, 2000.5), { maxLength: 2, size: 'max' })
  .map((targets) => targets.map((targetValue, index) => ({ name: `m${index}`, targetValue, prometheus })));

const guardsArb = fc
  .array(fc.constantFrom('Increase', 'Decrease', 'Both'), { maxLength: 2, size: 'max' })
  .map((stops) => stops.map((each, index) => ({ name: `g${index}`, stops: each, prometheus })));

const guardSampleArb: fc.Arbitrary<Sample> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('1', '0.0001').map(usable) },
  { weight: 2, arbitrary: fc.constantFrom('0', '-1e308').map(usable) },
  { weight: 1, arbitrary: fc.constantFrom(ABSENT, FAILED) },
);

const timeArb = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hour, minute]) => `${hour}:${String(minute).padStart(2, '0')}`);

const stepPolicyArb = fc.record({
  type: fc.constantFrom('Weight', 'Percent'),
  value: fc.constantFrom(1, 4, 10, 100),
  periodSeconds: fc.constantFrom(10, 60, 300, 1800),
});

const moveRulesArb = fc.option(
  fc
    .record({
      stabilizationWindowSeconds: fc.constantFrom(0, 0, 60, 300, 3600),
      policies: fc.option(fc.array(stepPolicyArb, { minLength: 1, maxLength: 3 }), { nil: undefined }),
      select: fc.constantFrom('Max', 'Max', 'Min', 'Disabled'),
    })
    .map(({ select, ...rules }) => ({
      ...rules,
      selectPolicy: rules.policies === undefined && select !== 'Disabled' ? undefined : select,
    })),
  { nil: undefined },
);

const WINDOWED = { prometheus: { address: 'http://prometheus:9090', query: 'load', window: '1m' } };

/** Specs of one record, or of so many whose shares they choose. */
const specArb = (records: number): fc.Arbitrary<RebalanceSpec> =>
  fc
    .record({
      shares: fc.array(fc.constantFrom(1, 1, 3, 255), { minLength: records, maxLength: records }),
      signal: fc.constantFrom('demand', 'demand', 'load'),
      baseValue: fc.option(fc.integer({ min: 1, max: 255 }), { nil: undefined }),
      range: fc.tuple(weightArb, weightArb),
      tolerance: fc.constantFrom(0, 0, 0.05, 0.3, 1),
      disableScaleIn: fc.boolean(),
      floors: fc.array(fc.tuple(timeArb, timeArb, weightArb), { maxLength: 2, size: 'xsmall' }),
      threshold: fc.integer({ min: 0, max: 3 }),
      fallback: fc.option(weightArb, { nil: undefined }),
      behavior: fc.option(fc.record({ increase: moveRulesArb, decrease: moveRulesArb }), { nil: undefined }),
      additionalMetrics: fc.oneof(fc.constant([]), additionalArb),
      guards: fc.oneof(fc.constant([]), guardsArb),
    })
    .map(({ shares, range, floors, threshold, fallback, behavior, additionalMetrics, guards, ...policy }) => {
      const [minimum, maximum] = [Math.min(...range), Math.max(...range)];
      const scheduled = floors
        .filter(([startTime, endTime]) => startTime !== endTime)
        .map(([startTime, endTime, value]) => ({ startTime, endTime, value: Math.min(value, maximum) }));
      const action = fallback === undefined ? { action: 'Hold' } : { action: 'Weight', weight: fallback };
      const tracking = { ...policy, minimum, maximum, scheduled };
      const rest = {
        onFailure: { threshold, ...action },
        behavior,
        additionalMetrics,
        guards,
        ...(policy.signal === 'load' ? { metrics: WINDOWED } : {}),
      };
      return records === 1 ? specOf(tracking, rest) : severalSpec(shares, tracking, rest);
    });

const rarely = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 6 });

/** Histories of at most so many attempts, under one or two specs. */
export const historiesOf = (maxLength: number): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(fc.constantFrom(1, 1, 2, 4), fc.integer({ min: 1, max: maxLength }))
    .chain(([records, length]) =>
      fc.tuple(
        fc.constant(records),
        fc.constant(length),
        fc.array(specArb(records), { minLength: 1, maxLength: 2 }),
      ),
    )
    .chain(([records, length, specs]) =>
      fc.array(
        fc.record({
          spec: fc.constantFrom(...specs),
          sample: sampleArb,
          additionalSamples: fc.array(sampleArb, { minLength: 2, maxLength: 2 }),
          guardSamples: fc.array(guardSampleArb, { minLength: 2, maxLength: 2 }),
          writeForbidden: fc.constantFrom(undefined, undefined, undefined, 'DryRun', 'ObserveOnly'),
          afterMs: fc.constantFrom(10_000, 60_000, 60_000, 3_600_000, 7 * 3_600_000),
          foreignOwn: records === 1 ? rarely(weightArb) : fc.constant(undefined),
          foreignParts:
            records === 1
              ? fc.constant(undefined)
              : rarely(fc.array(weightArb, { minLength: records, maxLength: records })),
          others: rarely(fc.array(weightArb, { maxLength: 3 })),
          unread: fc.constantFrom(false, false, false, false, true),
          write: fc.constantFrom('Accepted', 'Accepted', 'Accepted', 'Refused', 'Aborted', 'AbortedWritten'),
          changeStatus: fc.constantFrom('PENDING', 'INSYNC'),
          // edits of the spec, which end a contest
          generation: fc.constantFrom(1, 2, 3),
          statusLost: fc.constantFrom(false, false, false, true),
        }),
        { minLength: length, maxLength: length },
      ),
    )
    .map((steps) => steps.map(fitSamples));

/** As many samples as the spec has queries. */
function fitSamples<S extends Step>(step: S): S {
  const { spec, additionalSamples = [], guardSamples = [] } = step;
  return {
    ...step,
    additionalSamples: additionalSamples.slice(0, spec.additionalMetrics.length),
    guardSamples: guardSamples.slice(0, spec.guards.length),
  };
}

/** One attempt of a history, with those before it. */
export interface Lived {
  readonly step: Step;
  readonly taken: Taken;
  readonly past: readonly Lived[];
}

/** Lives through a history, attempt by attempt. */
export function live(steps: readonly Step[]): readonly Lived[] {
  const records = steps[0]?.spec.target.records.length ?? 1;
  const parts =
    records === 1 ? undefined : Array.from({ length: records }, (_, index) => Number(index === 0));
  const history = takeAll(steps, { ...START, parts });
  const lived: Lived[] = [];
  for (const [index, step] of steps.entries()) {
    const taken = history[index];
    assert.ok(taken !== undefined);
    lived.push({ step, taken, past: [...lived] });
  }
  return lived;
}

/** What holds of every attempt, whatever came before it; `check` throws where it does not. */
export interface HistoryRule {
  readonly name: string;
  readonly check: (taken: Taken, step: Step, past: readonly Lived[]) => void;
}

export const HISTORY_RULES: readonly HistoryRule[] = [
  {
    name: 'each weight that is written is an integer within the bounds of its time, or the 1 that rescues the set',
    check: ({ before, written }, { spec }) => {
      const { lowest, highest } = boundsAt(spec.policy, before.nowMs);
      const [first, rescue] = written;
      if (first !== undefined) {
        assert.ok(Number.isInteger(first));
        assert.ok(first >= lowest && first <= highest, `${first} in ${lowest}..${highest}`);
      }
      assert.ok(rescue === undefined || rescue === 1);
    },
  },
  {
    name: 'no write makes the sum of the set 0',
    check: ({ before, written }) => {
      for (const own of written) assert.ok(own + before.others.reduce((sum, other) => sum + other, 0) > 0);
    },
  },
  {
    name: 'nothing is written in a dry run, nor when DNS holds it already',
    check: ({ before, left }, { writeForbidden }) => {
      if (writeForbidden !== undefined) assert.deepEqual(left, []);
      if (left[0] !== undefined) assert.notDeepEqual(left[0], before.parts ?? [before.own]);
    },
  },
  {
    name: 'nothing is written while others contest our weight',
    check: ({ decision, left }) => {
      if (decision?.contest.isContested === true) assert.deepEqual(left, []);
    },
  },
  {
    name: 'each record has its exact part of what is written, rounded down or up',
    check: ({ left, written }, { spec: { target } }) => {
      const shares = sumOf(target.records.map(({ share }) => share));
      for (const [index, weights] of left.entries())
        for (const [record, { share }] of target.records.entries()) {
          const exact = ((written[index] ?? NaN) * share) / shares;
          assert.ok(
            Math.abs((weights[record] ?? NaN) - exact) < 1,
            `${weights.join(', ')} of ${print(target)}`,
          );
        }
    },
  },
  {
    name: 'without a usable sample no record moves unless the weight of all does',
    check: ({ before, decision, left }) => {
      if (decision?.held !== undefined && decision.desired === before.own) assert.deepEqual(left, []);
    },
  },
  {
    name: 'a decision is a pure function: the same twice, and its arguments untouched',
    check: ({ observation, decision }) => {
      if (observation === undefined) return;
      const arguments_ = print(observation);
      assert.equal(print(decide(observation)), print(decision));
      assert.equal(print(observation), arguments_);
    },
  },
  {
    name: 'without a usable sample the weight in force stays, unless bounds or fallback move it or let it go',
    check: ({ before, decision }, { writeForbidden }) => {
      if (decision?.held === undefined) return;
      const { desiredValue, decision: last } = before.status;
      const inForce = writeForbidden === undefined ? before.own : (desiredValue ?? before.own);
      const moved = decision.limitedBy.some((stage) => stage === 'bounds' || stage === 'fallback');
      // On the way back from bounds or fallback, as fast as `behavior` and guards let it.
      const letGo =
        decision.policyWeight === last?.policyWeight &&
        inForce === desiredValue &&
        takesNoData(last) &&
        decision.desired >= Math.min(inForce, decision.policyWeight) &&
        decision.desired <= Math.max(inForce, decision.policyWeight);
      // Keeping a set from all zero means our weight in DNS, in a dry run too.
      const kept = decision.limitedBy.includes('set') && decision.desired === atMostWeight(before.own);
      assert.ok(moved || letGo || kept || decision.desired === inForce, print(decision));
    },
  },
  {
    name: 'while one metric cannot be used the weight falls only by bounds or fallback, or back from them',
    check: ({ before, observation, decision }, { writeForbidden }) => {
      if (observation === undefined || decision === undefined || decision.held !== undefined) return;
      if (metricSamples(observation).every(({ kind }) => kind === 'Usable')) return;
      const { desiredValue, decision: last } = before.status;
      const inForce = writeForbidden === undefined ? before.own : (desiredValue ?? before.own);
      const moved = decision.limitedBy.some((stage) => stage === 'bounds' || stage === 'fallback');
      const letGo =
        last?.policyWeight !== undefined &&
        inForce === desiredValue &&
        takesNoData(last) &&
        decision.desired >= Math.min(inForce, last.policyWeight);
      const kept = decision.limitedBy.includes('set');
      assert.ok(moved || letGo || kept || decision.desired >= inForce, print(decision));
    },
  },
  {
    name: 'the law asks for the most that it would ask of any metric alone',
    check: ({ observation, decision }) => {
      if (observation === undefined || decision?.stages.scaleIn === undefined) return;
      const samples = metricSamples(observation);
      // An estimate remembers by name what came before, so that alone it would start anew.
      if (samples.length === 1 || observation.spec.policy.signal === 'Load') return;
      const asked = followedMetrics(observation.spec).flatMap(({ metric, policy }, index) => {
        const spec = { ...observation.spec, metric, policy, additionalMetrics: [] };
        const sample = samples[index] ?? ABSENT;
        const alone = decide({ ...observation, spec, sample, additionalSamples: [] });
        return alone.stages.scaleIn === undefined ? [] : [Number(alone.stages.scaleIn)];
      });
      assert.equal(Number(decision.stages.scaleIn), Math.max(...asked));
    },
  },
  {
    name: 'a guard that is not above 0, or cannot be read, stops its way, but to get inside bounds, floors or fallback',
    check: ({ before, decision }, { spec, guardSamples = [], writeForbidden }) => {
      if (decision === undefined || decision.fallback?.active === true) return;
      const { lowest, highest } = boundsAt(spec.policy, before.nowMs);
      const inForce = writeForbidden === undefined ? before.own : (before.status.desiredValue ?? before.own);
      const kept = decision.limitedBy.includes('set');
      for (const [index, { stops }] of spec.guards.entries()) {
        const sample = guardSamples[index];
        if (kept || (sample?.kind === 'Usable' && Number(sample.text) > 0)) continue;
        if (stops !== 'Decrease') assert.ok(decision.desired <= Math.max(inForce, lowest), print(decision));
        if (stops !== 'Increase') assert.ok(decision.desired >= Math.min(inForce, highest), print(decision));
      }
    },
  },
  {
    name: 'failures stop at threshold + 1, and a policy weight is a weight',
    check: ({ status, decision }, { spec }) => {
      assert.ok((status.failures ?? 0) <= spec.onFailure.threshold + 1);
      if (decision !== undefined) assert.ok(decision.policyWeight >= 0 && decision.policyWeight <= 255);
    },
  },
  {
    name: 'the status satisfies the schema of the CRD, reads back the same, and has no NaN, infinity or null',
    check: ({ status }) => {
      const json = JSON.stringify(status);
      const wire: unknown = JSON.parse(json);
      assert.deepEqual(rebalanceStatusSchema.safeParse(wire).error, undefined);
      assert.equal(JSON.stringify(readRebalanceStatus(wire)), json);
      assert.doesNotMatch(json, /NaN|Infinity|null/);
    },
  },
  {
    name: 'the same sample again, at once, writes nothing more',
    check: ({ after, decision }, step) => {
      const { spec, sample, generation, additionalSamples = [], guardSamples = [] } = step;
      const { write = 'Accepted', writeForbidden } = step;
      if (sample.kind !== 'Usable' || step.unread === true || write !== 'Accepted') return;
      // A row of usable samples ends the fallback: that write is wanted.
      if (spec.onFailure.kind === 'Weight' || writeForbidden !== undefined) return;
      // Of several loads one that dropped may be believed with the next sample.
      if (spec.policy.signal === 'Load' && spec.additionalMetrics.length > 0) return;
      // A policy that has nothing to go by takes up next what kept the set from all zero, and that within its bounds.
      if (decision?.held !== undefined && decision.limitedBy.includes('set')) return;
      // What was lost with the status is no step that was made, and no share that a load has answered to.
      const isLoad = spec.policy.signal === 'Load';
      const remembers = spec.behavior !== undefined || spec.additionalMetrics.length > 0 || isLoad;
      if (remembers && step.statusLost === true) return;
      assert.deepEqual(
        take(after, { spec, sample, additionalSamples, guardSamples, generation, afterMs: 0 }).written,
        [],
      );
    },
  },
  {
    name: 'a step is within the limits, but to get inside bounds, floors or fallback',
    check: ({ before, decision, written: [first] }, { spec }, past) => {
      if (first === undefined || spec.behavior === undefined || decision?.fallback?.active === true) return;
      const { lowest, highest } = boundsAt(spec.policy, before.nowMs);
      const { increase, decrease } = spec.behavior;
      const own = atMostWeight(before.own);
      if (first > own) {
        const limit = furthest(increase, (policy) => {
          const start = Math.max(...inForceSince(before, policy.periodMs, past));
          return policy.kind === 'Weight'
            ? start + policy.value
            : Math.max(start + 1, Math.ceil(start + (start * policy.value) / 100));
        });
        assert.ok(first <= Math.max(lowest, limit(own)), `${own} to ${first}`);
      } else {
        const limit = furthest(decrease, (policy) => {
          const start = Math.min(...inForceSince(before, policy.periodMs, past));
          const by = policy.kind === 'Weight' ? policy.value : Math.ceil((start * policy.value) / 100);
          return -(start - by);
        });
        assert.ok(first >= Math.min(highest, -limit(-own)), `${own} to ${first}`);
      }
    },
  },
  {
    name: 'a move goes no further than each recommendation of the window, but to get inside bounds or fallback',
    check: ({ before, decision, written: [first] }, { spec, writeForbidden }, past) => {
      if (first === undefined || spec.behavior === undefined || decision?.fallback?.active === true) return;
      if (first === before.own) return;
      const { lowest, highest } = boundsAt(spec.policy, before.nowMs);
      const rules = first > before.own ? spec.behavior.increase : spec.behavior.decrease;
      const unbroken = past.slice(
        1 + past.findLastIndex(({ step }) => step.spec !== spec || isDry(step) !== isDry({ writeForbidden })),
      );
      for (const { step, taken } of unbroken) {
        const recommended = Number(taken.decision?.stages.bounds ?? NaN);
        const counts = step.statusLost !== true && taken.before.nowMs > before.nowMs - rules.stabilisationMs;
        if (!counts || Number.isNaN(recommended)) continue;
        if (first > before.own) assert.ok(first <= Math.max(lowest, recommended));
        else assert.ok(first >= Math.min(highest, recommended));
      }
    },
  },
];

/** Whether bounds or fallback alone kept the last weight from what the policy wanted, so that it takes no data to go there. */
function takesNoData({ limitedBy = [], stages }: DecisionStatus): boolean {
  const slowed = limitedBy.some((stage) => ['stabilise', 'stepLimit', 'guards'].includes(stage));
  const overruled = limitedBy.some((stage) => stage === 'bounds' || stage === 'fallback');
  const withoutData = stages !== undefined && (stages.raw === undefined || limitedBy.includes('hold'));
  return slowed ? withoutData : overruled;
}

const isDry = ({ writeForbidden }: Pick<Step, 'writeForbidden'>) => writeForbidden !== undefined;

/** The furthest that the rules of a way allow from a weight, by what each policy allows. */
function furthest(
  { select, policies }: MoveRules,
  allows: (policy: StepPolicy) => number,
): (inForce: number) => number {
  return (inForce) => {
    if (select === 'Disabled') return inForce;
    if (policies.length === 0) return Infinity;
    const limits = policies.map(allows);
    return Math.max(inForce, select === 'Max' ? Math.max(...limits) : Math.min(...limits));
  };
}

/**
 * The weights that were in DNS since the period began, as far as a status knew: where status writes were lost, or the set
 * was not read, a change is known of later, so the last one that was known of before counts too.
 */
function inForceSince(before: Taken['before'], periodMs: number, past: readonly Lived[]): readonly number[] {
  const known = past.findLastIndex(
    ({ step, taken }) =>
      taken.before.nowMs <= before.nowMs - periodMs &&
      taken.decision !== undefined &&
      step.statusLost !== true &&
      !isDry(step),
  );
  const since = known === -1 ? past : past.slice(known);
  return [before.own, ...since.flatMap(({ taken }) => [taken.before.own, taken.after.own])].map(atMostWeight);
}

/** What several records have together may be more than a weight, by hand; the way back from there into bounds is no step. */
function atMostWeight(total: number): number {
  return Math.min(total, MAX_WEIGHT);
}

export function print(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? String(field) : field));
}
