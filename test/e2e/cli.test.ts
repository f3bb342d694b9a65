import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCli, type Ended } from '../support/cli.ts';
import { arrived, notYet, waitFor } from '../support/wait.ts';
import { weightedRecord } from '../support/weighted-record.ts';
import { rebalance } from './rebalance.ts';
import { theWorld } from './world.ts';
import { createZone, TEST_ENVIRONMENT, type Zone } from './zone.ts';

/** So many samples, half a second apart, are waited for before the past is asked for. */
const SAMPLES = 8;

describe('the commands, on a real Prometheus and a Route 53 emulator', function () {
  this.timeout(120_000);

  let zone: Zone;
  let file = '';

  before(async () => {
    const { moto, prometheus, exporter, directory } = theWorld();
    zone = await createZone(moto.url, 'cli.example');
    await zone.put(weightedRecord('cli.example.', 'aws', 1), weightedRecord('cli.example.', 'onprem', 8));
    const object = rebalance({
      name: 'cli',
      targettracking: { targetValue: 1000, baseValue: 8 },
      prometheus: { address: prometheus.url, query: 'sum(cli_demand)' },
      zoneId: zone.id,
      record: { name: 'cli.example', type: 'A', identifier: 'aws' },
      others: { interval: '10s' },
    });
    file = join(directory, 'cli.yaml');
    await writeFile(file, JSON.stringify(object));
    exporter.show({ name: 'cli_demand', value: '3000' });
    await waitFor(`${SAMPLES} samples`, { deadlineMs: 30_000 }, async () => {
      const query = encodeURIComponent(`count_over_time(cli_demand[1m]) >= ${SAMPLES}`);
      const answer = await fetch(`${prometheus.url}/api/v1/query?query=${query}`).then((got) => got.text());
      return answer.includes('"value"') ? arrived(answer) : notYet(answer);
    });
  });

  function run(...args: readonly string[]): Promise<Ended> {
    return runCli({ args, env: TEST_ENVIRONMENT });
  }

  function evaluate(): Promise<Ended> {
    return run('evaluate', '-f', file, '--route53-endpoint', theWorld().moto.url);
  }

  it('Given a record of weight 1 that should have 16, When evaluate runs, Then it tells the change, exits 2, and writes nothing', async () => {
    const { code, stdout, stderr } = await evaluate();
    assert.deepEqual([code, stderr], [2, '']);
    assert.match(stdout, /^metric +3000$/m);
    assert.match(stdout, /^record +onprem: weight 8$/m);
    assert.match(stdout, /^change +1 -> 16$/m);
    assert.equal(await zone.weightOf('aws'), 1);
  });

  it('Given a record that is right, When evaluate runs, Then it exits 0', async () => {
    await zone.put(weightedRecord('cli.example.', 'aws', 16));
    const { code, stdout } = await evaluate();
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^change +none, 16 stays$/m);
  });

  it("Given the past of a Prometheus, When backtest asks for it, Then it replays the spec's own query", async () => {
    const { prometheus } = theWorld();
    const range = ['--prometheus', prometheus.url, '--from', '3s', '--step', '1s', '--start-weight', '1'];
    const { code, stdout, stderr } = await run('backtest', '-f', file, ...range, '-o', 'json');
    assert.deepEqual([code, stderr], [0, '']);
    const { runs } = JSON.parse(stdout) as {
      readonly runs: readonly { readonly steps: readonly { metric?: number; weight: number }[] }[];
    };
    const steps = runs[0]?.steps ?? [];
    assert.deepEqual(new Set(steps.map(({ metric, weight }) => `${metric} ${weight}`)), new Set(['3000 16']));
    assert.ok(steps.length >= 3, `${steps.length} steps`);
  });

  it('Given a query that the Prometheus cannot parse, When backtest asks for it, Then its own words are told', async () => {
    const broken = file.replace('cli.yaml', 'broken.yaml');
    const object = rebalance({
      name: 'broken',
      targettracking: { targetValue: 1000, baseValue: 8 },
      prometheus: { address: theWorld().prometheus.url, query: 'sum(' },
      zoneId: zone.id,
      record: { name: 'cli.example', type: 'A', identifier: 'aws' },
    });
    await writeFile(broken, JSON.stringify(object));
    const { code, stdout, stderr } = await run(
      'backtest',
      '-f',
      broken,
      '--prometheus',
      theWorld().prometheus.url,
    );
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^counterpoise backtest: [^\n]*parse error[^\n]*\n$/);
  });
});
