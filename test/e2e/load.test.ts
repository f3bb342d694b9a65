import assert from 'node:assert/strict';
import { arrived, notYet, waitFor } from '../support/wait.ts';
import { weightedRecord } from '../support/weighted-record.ts';
import { rebalance, sync, type Rebalance } from './rebalance.ts';
import { theWorld } from './world.ts';
import { createZone, type Zone } from './zone.ts';

const TARGET = 1000;
const DEMAND = 3000;
const REFERENCE = 64;
const TTL_SECONDS = 2;
const WINDOW_SECONDS = 1;
/** Number 2 of the control's numbers: intervals (of 1 s here) to settle after a step. */
const SETTLES_WITHIN = 2 * (TTL_SECONDS + WINDOW_SECONDS) + 5;
const CALM_ATTEMPTS = 20;

/** One attempt as the scenario saw it. */
interface Seen {
  readonly at: string;
  readonly weight: number;
  readonly load: number;
}

describe('signal load: an exporter whose value follows the weight', () => {
  let zone: Zone;
  let parent: Rebalance;
  const published: { readonly atMs: number; readonly weight: number }[] = [];

  before(async () => {
    const { moto, prometheus } = theWorld();
    zone = await createZone(moto.url, 'load.example');
    await zone.put(
      { ...weightedRecord('load.example.', 'aws', 0), TTL: TTL_SECONDS },
      { ...weightedRecord('load.example.', 'onprem', REFERENCE), TTL: TTL_SECONDS },
    );
    parent = rebalance({
      name: 'load',
      targettracking: { targetValue: TARGET, signal: 'load' },
      prometheus: { address: prometheus.url, query: 'site_load', window: `${WINDOW_SECONDS}s` },
      zoneId: zone.id,
      record: { name: 'load.example', type: 'A', identifier: 'aws' },
      others: { interval: '1s' },
    });
    await observe();
    await waitFor('the first scrape', { deadlineMs: 20_000 }, async () => {
      const answer = await fetch(`${prometheus.url}/api/v1/query?query=site_load`);
      const text = await answer.text();
      return text.includes('"value"') ? arrived(text) : notYet(text);
    });
  });

  /** Reads our weight from DNS and shows what the site carries: clients follow within the TTL. */
  async function observe(): Promise<number> {
    const weight = (await zone.weightOf('aws')) ?? 0;
    const nowMs = Date.now();
    published.push({ atMs: nowMs, weight });
    const recent = published.filter(({ atMs }) => atMs >= nowMs - TTL_SECONDS * 1000);
    const shares = recent.map((each) => REFERENCE / (REFERENCE + each.weight));
    const load = (DEMAND * shares.reduce((sum, share) => sum + share, 0)) / shares.length;
    theWorld().exporter.show({ name: 'site_load', value: String(load) });
    return load;
  }

  /** Lets the hook attempt until so many attempts were seen. */
  async function attempts(count: number): Promise<readonly Seen[]> {
    const seen: Seen[] = [];
    return waitFor(`${count} attempts`, { deadlineMs: (count + 30) * 2_000 }, async () => {
      const load = await observe();
      const { status } = await sync(theWorld().service, parent);
      const at = (status as { readonly lastAttemptAt?: string }).lastAttemptAt ?? '';
      const isNew = at !== (parent.status as { readonly lastAttemptAt?: string } | undefined)?.lastAttemptAt;
      parent = { ...parent, status };
      if (isNew) seen.push({ at, weight: status.actualValue ?? -1, load });
      return seen.length >= count ? arrived(seen) : notYet(JSON.stringify(status));
    });
  }

  function assertOnTarget(seen: readonly Seen[]): void {
    const off = seen.filter(({ load }) => Math.abs(load - TARGET) > TARGET / 10);
    assert.deepEqual(off, [], JSON.stringify(seen));
  }

  it(`Given a demand of 3000 on a site for 1000, When the hook attempts every second, Then the load has settled after ${SETTLES_WITHIN} intervals`, async () => {
    const seen = await attempts(SETTLES_WITHIN + 1);
    assert.ok((seen.at(-1)?.weight ?? 0) > 0, JSON.stringify(seen));
    assertOnTarget(seen.slice(-1));
  }).timeout(120_000);

  it(`Given a load that has settled, Then the next ${CALM_ATTEMPTS} attempts write nothing, and it stays on target`, async () => {
    const calm = await attempts(CALM_ATTEMPTS);
    assert.equal(new Set(calm.map(({ weight }) => weight)).size, 1, JSON.stringify(calm));
    assertOnTarget(calm);
  }).timeout(120_000);
});
