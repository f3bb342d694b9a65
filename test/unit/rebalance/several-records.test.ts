import assert from 'node:assert/strict';
import { ok } from '../../../src/foundation/result.ts';
import { decide } from '../../../src/rebalance/decide.ts';
import type { Decision } from '../../../src/rebalance/decision.ts';
import { eventsOf } from '../../../src/rebalance/events.ts';
import { statusAfterPoll } from '../../../src/rebalance/next-status.ts';
import type { RebalanceSpec } from '../../../src/rebalance/spec.ts';
import type { RebalanceStatus } from '../../../src/rebalance/status.ts';
import { weight } from '../../../src/rebalance/weight.ts';
import {
  ABSENT,
  afterAttempt,
  attemptOf,
  FAILED,
  NOON,
  observe,
  only,
  severalOf,
  severalSpec,
  statusAfter,
  usable,
  type Observation,
} from '../../support/rebalance.ts';

const spec = severalSpec([3, 1]);
/** The metric asks for 16 in all: 12 and 4. */
const several = (parts: Partial<Observation> = {}): Observation =>
  observe({ spec, set: severalOf([1, 0], 8), ...parts });

const prometheus = { address: 'http://prometheus:9090', query: 'fresh' };
const guardedSpec = severalSpec([3, 1], {}, { guards: [{ name: 'fresh', stops: 'Both', prometheus }] });

interface Row {
  readonly name: string;
  readonly given: Partial<Observation>;
  readonly desired: number;
  /** Of blue and green. */
  readonly split: readonly [number, number];
  readonly effect: string;
  readonly reason: string;
}

const rows: readonly Row[] = [
  {
    name: 'the law gives the weight of all, which the shares split',
    given: {},
    desired: 16,
    split: [12, 4],
    effect: 'write blue 12, green 4',
    reason: 'Tracking',
  },
  {
    name: 'a split that differs is written though the weight does not',
    given: { set: severalOf([8, 8], 8) },
    desired: 16,
    split: [12, 4],
    effect: 'write blue 12, green 4',
    reason: 'Tracking',
  },
  {
    name: 'a record that has its part already is not written',
    given: { set: severalOf([12, 0], 8) },
    desired: 16,
    split: [12, 4],
    effect: 'write green 4',
    reason: 'Tracking',
  },
  {
    name: 'nothing is written where each has its part',
    given: { set: severalOf([12, 4], 8) },
    desired: 16,
    split: [12, 4],
    effect: 'Unchanged',
    reason: 'Tracking',
  },
  {
    name: 'a dry run of another split is dry, though the weight is what is wanted',
    given: { set: severalOf([8, 8], 8), writeForbidden: 'DryRun' },
    desired: 16,
    split: [12, 4],
    effect: 'DryRun',
    reason: 'Tracking',
  },
  {
    name: 'without data another split is not undone, as nothing is',
    given: { set: severalOf([8, 8], 8), sample: ABSENT },
    desired: 16,
    split: [8, 8],
    effect: 'Unchanged',
    reason: 'HeldWithoutData',
  },
  {
    name: 'a guard that stops the weight leaves another split as it is',
    given: { spec: guardedSpec, set: severalOf([4, 4], 8), guardSamples: [usable('0')] },
    desired: 8,
    split: [4, 4],
    effect: 'Unchanged',
    reason: 'GuardStopped',
  },
  {
    name: 'what moves the weight without data splits it too',
    given: { spec: severalSpec([3, 1], { minimum: 20 }), set: severalOf([8, 8], 8), sample: FAILED },
    desired: 20,
    split: [15, 5],
    effect: 'write blue 15, green 5',
    reason: 'AtMinimum',
  },
  {
    name: 'the maximum bounds all of them together',
    given: { spec: severalSpec([3, 1], { maximum: 10 }), set: severalOf([200, 200], 8) },
    desired: 10,
    split: [8, 2],
    effect: 'write blue 8, green 2',
    reason: 'AtMaximum',
  },
  {
    name: 'more than one record can have is brought within bounds without data, and bounds say so',
    given: { set: severalOf([200, 200], 8), sample: FAILED },
    desired: 255,
    split: [191, 64],
    effect: 'write blue 191, green 64',
    reason: 'AtMaximum',
  },
  {
    name: 'all go to 0 where another record carries the set',
    given: { sample: usable('900') },
    desired: 0,
    split: [0, 0],
    effect: 'write blue 0',
    reason: 'Tracking',
  },
  {
    name: 'where nothing else carries the set each record keeps its weight',
    given: { sample: usable('900'), set: severalOf([0, 4], 0) },
    desired: 4,
    split: [0, 4],
    effect: 'Unchanged',
    reason: 'KeptFromAllZero',
  },
  {
    name: 'so they do where they have more than is allowed, or than a weight can be',
    given: { spec: severalSpec([3, 1], { maximum: 0 }), set: severalOf([200, 200], 0) },
    desired: 255,
    split: [200, 200],
    effect: 'Unchanged',
    reason: 'KeptFromAllZero',
  },
  {
    name: 'a set of zeros that nothing asks for is left alone',
    given: { sample: usable('900'), set: severalOf([0, 0], 0) },
    desired: 0,
    split: [0, 0],
    effect: 'Unchanged',
    reason: 'SetAllZero',
  },
];

function effectText({ effect }: Decision): string {
  if (effect.kind === 'None') return effect.because;
  return `write ${effect.records.map((record) => `${record.identifier} ${record.weight}`).join(', ')}`;
}

describe('deciding for several records', () => {
  for (const { name, given, desired, split, effect, reason } of rows)
    it(name, () => {
      const decision = decide(several(given));
      const parts = decision.split.map((record) => record.weight);
      assert.deepEqual(
        [decision.desired, parts, effectText(decision), decision.reason],
        [desired, split, effect, reason],
      );
    });

  it('keeps more than a weight can be as the most that one can be, where behavior and policy remember it', () => {
    const behavior = { decrease: { policies: [{ type: 'Weight', value: 5, periodSeconds: 60 }] } };
    const limited = several({ spec: severalSpec([3, 1], {}, { behavior }), set: severalOf([200, 200], 8) });
    const decision = decide(limited);
    assert.deepEqual([decision.desired, decision.limitedBy], [250, ['stepLimit']]);
    const held = decide({ ...limited, sample: FAILED });
    assert.deepEqual([held.policyWeight, held.behavior?.weights[0]?.weight], [255, 255]);
  });

  const metrics = { prometheus: { address: 'http://p', query: 'load', window: '1m' } };
  const loadSpec = (shares: readonly number[]): RebalanceSpec =>
    severalSpec(shares, { signal: 'load', baseValue: undefined }, { metrics });
  const loaded = (shares: readonly number[], given: Partial<Observation>): Decision =>
    decide(observe({ spec: loadSpec(shares), sample: usable('1500'), ...given }));

  it('estimates a load by the share that the reference has beside all of them', () => {
    const decision = loaded([1, 1], { set: severalOf([32, 32], 64) });
    assert.equal(
      decision.because,
      'demand 3000 (metric 1500 at a share of 50%) against target 1000 and base 64 asks for 128',
    );
    assert.deepEqual(
      decision.split.map((record) => record.weight),
      [64, 64],
    );
  });

  it('remembers the same shares however the weight is split, and in whatever order it is listed', () => {
    const { history } = loaded([1, 1], { set: severalOf([32, 32], 64) });
    const other = loaded([9, 1], { set: severalOf([64, 0], 64) }).history;
    assert.deepEqual([other.targetKey, other.shares], [history.targetKey, history.shares]);
    const { target, ...rest } = loadSpec([1, 1]);
    const reversed = { ...rest, target: { ...target, records: target.records.toReversed() } };
    const listed = loaded([1, 1], { spec: reversed, set: severalOf([32, 32], 64) });
    assert.equal(listed.history.targetKey, history.targetKey);
  });

  it('starts the history anew for another list of records', () => {
    const { targetKey } = loaded([1, 1], { set: severalOf([32, 32], 64) }).history;
    assert.notEqual(loaded([1, 1, 1], { set: severalOf([32, 32, 0], 64) }).history.targetKey, targetKey);
  });

  it('takes a set of zeros as an equal split among all of its records', () => {
    const zeros = { set: severalOf([0, 0], 0) };
    assert.equal(loaded([1, 1], zeros).history.shares[0]?.share, 1 / 3);
    assert.equal(loaded([1, 1], { set: severalOf([0, 0], 0, 0) }).history.shares[0]?.share, 1 / 2);
    assert.equal(loaded([1, 1], { set: severalOf([1, 1], 3, 3) }).history.shares[0]?.share, 3 / 4);
  });

  it('counts the largest TTL and every health check of the set, ours included', () => {
    const { own, others } = severalOf([12, 4], 8);
    const [blue, green] = own.records;
    assert.ok(blue && green);
    const records = [blue, { ...green, ttlSeconds: 300, healthChecked: true }];
    const decision = decide(several({ set: { own: { ...own, records }, others } }));
    assert.equal(decision.history.shares[0]?.ttlMs, 300_000);
    assert.deepEqual(decision.advice, ['SiblingsHealthChecked']);
    const alias = [blue, { ...green, ttlSeconds: undefined }];
    assert.deepEqual(decide(several({ set: { own: { ...own, records: alias }, others } })).advice, [
      'AliasMixed',
    ]);
  });
});

const resourcesIn = ({ actualValue, desiredValue, resources }: RebalanceStatus): readonly unknown[] => [
  actualValue,
  desiredValue,
  ...(resources ?? []).map((each) => `${each.identifier} ${each.actualValue} of ${each.desiredValue}`),
];

function conditionText({ conditions = [] }: RebalanceStatus, type: string): string {
  const { status, reason, message } = conditions.find((each) => each.type === type) ?? {};
  return `${status} ${reason}: ${message}`;
}

describe('the status of several records', () => {
  it('says what each has and is to have, beside the sums', () =>
    assert.deepEqual(resourcesIn(statusAfter(several())), [16, 16, 'blue 12 of 12', 'green 4 of 4']));

  it('is in sync with each of them', () =>
    assert.equal(
      conditionText(statusAfter(several()), 'TargetSynced'),
      'True InSync: DNS holds weight 16 (blue 12, green 4)',
    ));

  it('leaves what was read where nothing may be written, and says what each would have', () => {
    const status = statusAfter(several({ set: severalOf([8, 8], 8), writeForbidden: 'DryRun' }));
    assert.deepEqual(resourcesIn(status), [16, 16, 'blue 8 of 12', 'green 8 of 4']);
    assert.equal(
      conditionText(status, 'TargetSynced'),
      'False DryRun: weight 16 (blue 12, green 4) is wanted and not written (spec.dryRun); DNS holds 16 (blue 8, green 8)',
    );
  });

  const failure = { reason: 'Throttled', message: 'throttled', outcomeUnknown: false } as const;

  it('leaves what was read where the write was refused', () => {
    const status = statusAfter(several(), { kind: 'Refused', failure });
    assert.deepEqual(resourcesIn(status), [1, 16, 'blue 1 of 12', 'green 0 of 4']);
  });

  it('leaves the one that rescued the set from all zero', () => {
    const status = statusAfter(several({ sample: usable('0') }), {
      kind: 'Accepted',
      weight: weight(1),
      records: [
        { identifier: 'blue', weight: weight(1) },
        { identifier: 'green', weight: weight(0) },
      ],
      change: { id: 'C2', status: 'INSYNC' },
    });
    assert.deepEqual(resourcesIn(status), [1, 0, 'blue 1 of 0', 'green 0 of 0']);
  });

  it('keeps what it says where the set cannot be read, and forgets it with the list', () => {
    const previous = statusAfter(several());
    const attempt = { kind: 'TargetUnread', spec, ...only(FAILED), failure } as const;
    const next = afterAttempt(attempt, previous, { minutes: 0 });
    assert.deepEqual(next.resources, previous.resources);
    assert.equal('resources' in statusAfter(observe({ status: previous })), false);
  });

  it('calls a pending change in sync by what each record has, and only what is wanted of each', () => {
    const change = { id: 'C1', status: 'PENDING' } as const;
    const everywhere = ok({ id: 'C1', status: 'INSYNC' } as const);
    const { outcome } = attemptOf(several());
    assert.ok(outcome.kind === 'Accepted');
    const pending = statusAfter(several(), { ...outcome, change });
    assert.equal(
      conditionText(statusAfterPoll(pending, everywhere, NOON + 10_000), 'TargetSynced'),
      'True InSync: DNS holds weight 16 (blue 12, green 4)',
    );
    const edited = severalSpec([1, 1]);
    const set = severalOf([12, 4], 8);
    const dry = statusAfter(several({ spec: edited, set, status: pending, writeForbidden: 'DryRun' }));
    assert.match(
      conditionText(statusAfterPoll(dry, everywhere, NOON + 10_000), 'TargetSynced'),
      /^False DryRun: /,
    );
  });

  it('is told with every change: what each had, and what each has', () => {
    const observation = several({ set: severalOf([8, 8], 8) });
    const attempt = attemptOf(observation);
    const [event] = eventsOf({}, statusAfter(observation), attempt);
    assert.equal(
      event?.message,
      'weight 16 (blue 8, green 8) -> 16 (blue 12, green 4): metric 3000 against target 1000 and base 8 asks for 16',
    );
  });
});
