import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ok } from '../../src/foundation/result.ts';
import { syncBalancer } from '../../src/hooks/balancer.ts';
import type { Hook } from '../../src/hooks/hook.ts';
import { runSync, type SyncEnd } from '../../src/hooks/pipeline.ts';
import { syncRebalance } from '../../src/hooks/rebalance.ts';
import { testDeps, testSettings } from '../support/deps.ts';
import { setOf, wireSpec } from '../support/rebalance.ts';
import { posted, value } from '../support/rebalance-world.ts';
import { recordedExchanges } from '../support/recorded.ts';

const SEED = 20260301;

const HOOKS: Readonly<Record<'balancer' | 'rebalance', Hook>> = {
  balancer: syncBalancer,
  rebalance: syncRebalance,
};

/** Values that no field expects, and some that many do. */
const odd = fc.oneof(
  fc.constantFrom(null, true, '', 'x', '9', '24:00', -1, 0, 1.5, 256, 1e308, [], {}, [null], [[]]),
  fc.constantFrom('\u0000\u2028\u202E', '\uD800', 'x'.repeat(10_000), '__proto__', '2026-03-04T12:00:00Z'),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constant({ ['__proto__']: { polluted: 1 }, constructor: { prototype: { polluted: 1 } } }),
);

/** A way into a body: at each level the n-th key, so that every path is about as likely. */
const wound = fc.record({
  way: fc.array(fc.nat(20), { minLength: 1, maxLength: 7 }),
  put: odd,
  removes: fc.boolean(),
});

type Wound = typeof wound extends fc.Arbitrary<infer W> ? W : never;

function wounded(body: unknown, { way, put, removes }: Wound): unknown {
  const copy = structuredClone(body);
  let at = copy as Record<string, unknown>;
  for (const [depth, step] of way.entries()) {
    const keys = Object.keys(at);
    const key = keys[step % Math.max(1, keys.length)];
    if (key === undefined) break;
    const next = at[key];
    if (depth === way.length - 1 || typeof next !== 'object' || next === null) {
      if (removes) Reflect.deleteProperty(at, key);
      else at[key] = put;
      break;
    }
    at = next as Record<string, unknown>;
  }
  return copy;
}

const deps = testDeps({
  settings: testSettings('--verify-parent=false'),
  metricSource: { read: () => Promise.resolve(value('3000')) },
  targetStore: {
    readSet: () => Promise.resolve(ok({ set: setOf(1, 8), isFresh: true, asRead: undefined })),
    writeWeights: () => Promise.resolve(ok({ id: 'C1', status: 'PENDING' })),
    readChange: () => Promise.resolve(ok({ id: 'C1', status: 'INSYNC' })),
    shortestIntervalMs: () => 0,
  },
});

/** A rendered answer was checked by the response schema; what else there is must be the sender's fault. */
function assertNoBug(end: SyncEnd): void {
  if (end.kind === 'Failed') throw end.thrown;
  if (end.kind !== 'Answered') assert.match(end.error.text, /^\P{Cc}{1,256}$/u);
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
}

describe('whatever is posted', () => {
  const bodies = recordedExchanges().map(({ body }) => body as unknown);
  const own = {
    parent: posted(wireSpec(), { lastAttemptAt: '2026-03-04T11:59:59Z', decision: { generation: 1 } }),
  };

  for (const [name, hook] of Object.entries(HOOKS) as ['balancer' | 'rebalance', Hook][]) {
    it(`a body with wounds is answered or refused by ${name}, never a bug`, async function () {
      this.timeout(60_000);
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...bodies, own),
          fc.array(wound, { minLength: 1, maxLength: 4 }),
          async (body, wounds) => {
            const text = JSON.stringify(wounds.reduce(wounded, body));
            assertNoBug(await runSync(name, hook, Buffer.from(text), deps));
          },
        ),
        { seed: SEED, numRuns: 1_000 },
      );
    });

    it(`bytes are answered or refused by ${name}, never a bug`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(
            fc.uint8Array({ maxLength: 200 }),
            fc.json().map((text) => Buffer.from(text)),
          ),
          async (bytes) => assertNoBug(await runSync(name, hook, bytes, deps)),
        ),
        { seed: SEED, numRuns: 500 },
      );
    });

    it(`a deep body is answered or refused by ${name}, wherever it is deep`, async () => {
      const deep = (levels: number): string => `${'{"a":['.repeat(levels)}1${']}'.repeat(levels)}`;
      const key = '"metadata":{"name":"a","namespace":"b","uid":"c"}';
      for (const levels of [100, 1_000, 5_000, 50_000]) {
        for (const text of [
          `{"parent":{${key},"spec":${deep(levels)}}}`,
          `{"parent":{${key},"status":${deep(levels)}}}`,
          `{"parent":{${key},"deletionTimestamp":"x","status":${deep(levels)}},"finalizing":true}`,
          `{"parent":{${key}},"children":{"Service.v1":{"x":{"apiVersion":"v1","kind":"Service","metadata":{"name":"x","annotations":{"metacontroller.k8s.io/last-applied-configuration":${JSON.stringify(deep(levels))}}},"spec":${deep(levels)}}}}}`,
        ]) {
          assertNoBug(await runSync(name, hook, Buffer.from(text), deps));
        }
      }
    });
  }
});
