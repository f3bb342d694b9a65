import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { createApp } from '../../src/app.ts';
import { curlLines, DEFAULT_PORTS } from '../demo/curl.ts';
import { tellStory } from '../demo/story.ts';
import { testDeps, testSettings } from '../support/deps.ts';
import { ROOT } from '../support/kustomize.ts';
import { decodeAnswer } from '../support/metacontroller/webhook.ts';

describe('The demo', () => {
  it('goes as told: 8, 16, held without Prometheus, 0', async () => {
    const lines: string[] = [];
    await tellStory((line) => void lines.push(line));
    const records = lines.filter((line) => line.includes('Route 53  example.com')).map((line) => line.trim());
    assert.deepEqual(
      records.map((line) => line.replace(/^Route 53 {2}example\.com A {3}/, '')),
      [
        'onprem 8, aws 8   ->   onprem 8, aws 8',
        'onprem 8, aws 8   ->   onprem 8, aws 16',
        'onprem 8, aws 16   ->   onprem 8, aws 16',
        'onprem 8, aws 16   ->   onprem 8, aws 0',
      ],
    );
    const told = lines.join('\n');
    for (const text of ['├─ Deployment', '└─ Service', 'Certificate', 'asks for 16', 'MetricUnreachable']) {
      assert.ok(told.includes(text), text);
    }
  });

  it('prints curl lines whose bodies the hooks answer, from the files that they name', async () => {
    const files = curlLines(DEFAULT_PORTS).flatMap((line) =>
      [...line.matchAll(/@(\S+)/g)].map(([, file]) => file ?? ''),
    );
    assert.deepEqual(files, ['test/demo/requests/balancer.json', 'test/demo/requests/rebalance.json']);
    for (const [index, hook] of ['balancer', 'rebalance'].entries()) {
      const body = JSON.parse(readFileSync(join(ROOT, files[index] ?? ''), 'utf8')) as object;
      const deps = testDeps({ settings: testSettings('--verify-parent=false') });
      const response = await request(createApp(deps)).post(`/${hook}/sync`).send(body);
      assert.equal(response.status, 200, response.text);
      const answer = decodeAnswer(response.text, 'strict');
      assert.ok(answer.ok && answer.value.children.length === (hook === 'balancer' ? 2 : 0));
    }
  });

  it('names other ports in the curl lines when others are chosen', () => {
    assert.deepEqual(curlLines({ hooks: 1, prometheus: 2, route53: 3 }), [
      "curl -s http://127.0.0.1:1/balancer/sync -H 'Content-Type: application/json' -d @test/demo/requests/balancer.json",
      "sed s/19090/2/ test/demo/requests/rebalance.json | curl -s http://127.0.0.1:1/rebalance/sync -H 'Content-Type: application/json' -d @-",
      "curl -s 'http://127.0.0.1:3/2013-04-01/hostedzone/Z0123456789DEMO/rrset?name=example.com&type=A'",
    ]);
  });
});
