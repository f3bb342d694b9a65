import assert from 'node:assert/strict';
import { startService, type Service } from '../../src/cli/server.ts';
import { testDeps, testSettings } from '../support/deps.ts';
import { ANSWERING } from '../support/fuzz/answering.ts';
import { runCampaign } from '../support/fuzz/campaign.ts';

/** The first of the 50,000 of test/chaos/fuzz.test.ts. */
const SEED = 20261130;
const BODIES = 1_500;

describe(`${BODIES} bent bodies at both hooks over HTTP (seed ${SEED})`, () => {
  const deps = testDeps({
    settings: testSettings('--listen=127.0.0.1:0', '--verify-parent=false', '--log-level=error'),
    ...ANSWERING,
  });
  let service: Service | undefined;
  after(async () => {
    await service?.stop(0);
  });

  it('are answered as Metacontroller may be answered, or refused in a line; no observed child is dropped', async function () {
    this.timeout(120_000);
    const started = await startService(deps);
    assert.ok(started.ok);
    service = started.value;
    const tally = await runCampaign({ url: service.url, seed: SEED, bodies: BODIES });
    assert.ok((tally['structured 200'] ?? 0) > BODIES / 5, JSON.stringify(tally));
    assert.ok((tally['structured 400'] ?? 0) > BODIES / 20, JSON.stringify(tally));
  });
});
