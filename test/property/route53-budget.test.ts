import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Route53Target } from '../../src/rebalance/spec.ts';
import type { TargetFailureReason, TargetStore } from '../../src/rebalance/targets/port.ts';
import { createRoute53Store } from '../../src/rebalance/targets/route53.ts';
import { weight } from '../../src/rebalance/weight.ts';
import { KEYS_BY_REGION } from '../support/aws-keys.ts';
import { secretsOf } from '../support/call-context.ts';
import { target as targetOf } from '../support/route53-store.ts';
import { createVirtualRoute53 } from '../support/route53-virtual.ts';
import { createVirtualTime } from '../support/virtual-clock.ts';
import { weightedRecord } from '../support/weighted-record.ts';

const ZONE = 'Z1';
const SETS = 8;
const RATE = 3;
/** Nothing else has such weights. */
const FIRST_WRITTEN = 100;

/** What one sync does: reads the set, shared, and where it `writes` reads it anew and writes a weight that nobody else does. */
interface Errand {
  readonly set: number;
  readonly atMs: number;
  readonly writes: boolean;
}

const errand: fc.Arbitrary<Errand> = fc.record({
  set: fc.nat(SETS - 1),
  atMs: fc.nat(12_000),
  writes: fc.boolean(),
});

const histories = fc.record({
  errands: fc.array(errand, { minLength: 1, maxLength: 30 }),
  pageLimit: fc.constantFrom(3, 5, 300),
  changeMs: fc.constantFrom(50, 400, 1_500),
  latencyMs: fc.constantFrom(5, 120),
  listWindowMs: fc.constantFrom(0, 5_000),
});

function target(set: number): Route53Target {
  return targetOf({ hostedZoneId: ZONE, name: `r${set}.example.com` });
}

/** A weight that stood in the set from `sinceMs` on, until the next one. */
interface Standing {
  readonly weight: number;
  readonly sinceMs: number;
}

/** How a write ended for who asked for it. */
interface End {
  readonly set: number;
  readonly weight: number;
  readonly atMs: number;
  readonly kind?: 'Accepted';
  readonly reason?: TargetFailureReason;
  readonly outcomeUnknown?: boolean;
}

/** A reading of a set: what it told, and the time from which on that must have been seen. */
interface Told {
  readonly set: number;
  readonly weight: number;
  readonly earliestMs: number;
  readonly atMs: number;
}

describe('whoever comes to the budget of Route 53 whenever', function () {
  this.timeout(120_000);

  it('keeps the rate and is told a weight that stood there in its time, nothing that is known better; its write is done once, or told as not done or in doubt', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ errands, listWindowMs, ...stand }) => {
        const time = createVirtualTime();
        const route53 = createVirtualRoute53({ time, ...stand });
        route53.createZone(ZONE, 'example.com');
        for (let set = 0; set < SETS; set += 1) {
          route53.putRecord(ZONE, { ...weightedRecord(`r${set}.example.com`, 'aws', 8) });
          route53.putRecord(ZONE, { ...weightedRecord(`r${set}.example.com`, 'onprem', 64) });
        }
        const store = createRoute53Store({
          requestHandler: route53.requestHandler,
          credentials: KEYS_BY_REGION,
          timer: time,
          ratePerSecond: RATE,
          listWindowMs,
        });
        const beganMs = time.nowMs();
        const told: Told[] = [];
        const ends: End[] = [];

        const run = async ({ set, atMs, writes }: Errand, index: number): Promise<void> => {
          await time.sleep(atMs);
          const arrivedMs = time.nowMs();
          const context = { secrets: secretsOf({}), caller: 'test', deadline: time.deadline(8_000) };
          const read = async (freshness: 'Shared' | 'Fresh'): ReturnType<TargetStore['readSet']> => {
            const reading = await store.readSet(target(set), context, freshness);
            if (reading.ok) {
              const earliestMs = freshness === 'Fresh' ? arrivedMs : arrivedMs - listWindowMs;
              told.push({ set, weight: reading.value.set.own.total, earliestMs, atMs: time.nowMs() });
            }
            return reading;
          };
          await read('Shared');
          if (!writes) return;
          const reading = await read('Fresh');
          if (!reading.ok) return;
          const own = FIRST_WRITTEN + index;
          const records = [{ identifier: 'aws', weight: weight(own) }];
          const end = await store.writeWeights(target(set), reading.value, records, context);
          ends.push({ set, weight: own, atMs: time.nowMs(), ...(end.ok ? { kind: 'Accepted' } : end.error) });
        };

        /** In the order in which Route 53 took them. */
        const writtenTo = (set: number): readonly Standing[] => [
          { weight: 8, sinceMs: -Infinity },
          ...route53.calls
            .filter(({ operation, code }) => operation === 'ChangeResourceRecordSets' && code === '')
            .flatMap(({ body, atMs }) =>
              [...body.matchAll(/<Name>r(\d+)\..*?<Weight>(\d+)</gs)]
                .filter(([, name]) => Number(name) === set)
                .map(([, , to]) => ({ weight: Number(to), sinceMs: atMs })),
            ),
        ];

        const all = Promise.all(errands.map(run));
        await time.run(40_000);
        await all;

        for (const { set, weight: seen, earliestMs, atMs } of told) {
          // Nothing is told that this process knows better by the end of a change of its own.
          const changedMs = ends.filter((end) => end.set === set && end.atMs < atMs).map((end) => end.atMs);
          const knownMs = Math.max(-Infinity, ...changedMs);
          const stood = writtenTo(set).filter(({ sinceMs }, index, list) => {
            const untilMs = list[index + 1]?.sinceMs ?? Infinity;
            return sinceMs <= atMs && untilMs >= Math.max(earliestMs, knownMs);
          });
          const could = stood.map(({ weight: stands }) => stands);
          assert.ok(could.includes(seen), `set ${set}: ${seen} at ${atMs - beganMs}, of ${could.join(' ')}`);
        }
        assert.ok(route53.peakPerSecond() <= RATE, `${route53.peakPerSecond()} requests in a second`);
        for (const { set, weight: own, outcomeUnknown = false, ...end } of ends) {
          if (outcomeUnknown) continue;
          const { length } = writtenTo(set).filter(({ weight: written }) => written === own);
          assert.equal(length, 'kind' in end ? 1 : 0, `${own} to set ${set}: ${JSON.stringify(end)}`);
        }
      }),
      { numRuns: 150, seed: 53 },
    );
  });
});
