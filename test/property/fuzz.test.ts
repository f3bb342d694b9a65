import assert from 'node:assert/strict';
import { startService, type Service } from '../../src/cli/server.ts';
import { ok } from '../../src/foundation/result.ts';
import { testDeps, testSettings } from '../support/deps.ts';
import { runCampaign } from '../support/fuzz/campaign.ts';
import { value } from '../support/rebalance-world.ts';
import { setOf } from '../support/rebalance.ts';

/** The first of the 50,000 of test/chaos/fuzz.test.ts. */
const SEED = 20261130;
const BODIES = 1_500;

describe(`${BODIES} bent bodies at both hooks over HTTP (seed ${SEED})`, () => {
  const deps = testDeps({
    settings: testSettings('--listen=127.0.0.1:0', '--verify-parent=false', '--log-level=error'),
    metricSource: { read: () => Promise.resolve(value('3000')) },
    targetStore: {
      readSet: () => Promise.resolve(ok({ set: setOf(1, 8), asRead: undefined })),
      writeWeights: () => Promise.resolve(ok({ id: 'C1', status: 'PENDING' })),
      readChange: () => Promise.resolve(ok({ id: 'C1', status: 'INSYNC' })),
    },
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
