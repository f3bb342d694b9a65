import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../src/app.ts';
import { createKubernetesApi } from '../../src/kubernetes/client.ts';
import { call, type Answer } from '../support/call.ts';
import { testDeps, testSettings, type TestDeps } from '../support/deps.ts';
import { ANSWERING } from '../support/fuzz/answering.ts';
import { startKubernetesStandIn, type KubernetesStandIn } from '../support/kubernetes-stand-in.ts';
import { listen, type Listening } from '../support/listen.ts';
import { posted } from '../support/rebalance-world.ts';
import { wireSpec } from '../support/rebalance.ts';
import { recordedExchanges } from '../support/recorded.ts';

/** What a terminal would obey, what would forge a line of the log, what hides, and 10 kB that nobody wants to read. */
const HOSTILE = `\u001b[2J\u001b]0;owned\u0007\r\n{"level":"info","msg":"FORGED"}\u202e\u200b\u2028\u0000${'x'.repeat(10_000)}`;

type Json = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

/** Of an attempt long ago that failed. */
const STATUS = {
  actualValue: 8,
  lastAttemptAt: '2026-01-01T00:00:00Z',
  failures: 2,
  condition: 'Error',
  change: { id: 'C0', status: 'PENDING', submittedAt: '2026-01-01T00:00:00Z' },
  conditions: [
    {
      type: 'Ready',
      status: 'False',
      reason: 'MetricUnreachable',
      message: 'no answer',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    },
  ],
};

/** Every place of a body where a text could stand: leaves, and keys of objects. */
function places(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  return [...entries].flatMap(([key, item]: [string | number, unknown]) => places(item, [...path, key]));
}

function withText(body: unknown, path: Path, text: string): Json {
  const copy = structuredClone(body) as Json;
  const parent = path.slice(0, -1).reduce<unknown>((above, key) => (above as Json)[key], copy);
  (parent as Record<string | number, unknown>)[path.at(-1) ?? ''] = text;
  return copy;
}

function withKey(body: unknown, path: Path, key: string): Json {
  const copy = structuredClone(body) as Json;
  const parent = path.slice(0, -1).reduce<unknown>((above, step) => (above as Json)[step], copy);
  if (!Array.isArray(parent)) (parent as Record<string, unknown>)[key] = 1;
  return copy;
}

/** Every text of a value, its keys too. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsOf(item)]);
}

function assertClean(where: string, limit: number, ...values: readonly unknown[]): void {
  for (const text of values.flatMap(textsOf)) {
    assert.doesNotMatch(
      text,
      /(?!\n {4}at )[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u,
      `${where}: ${text.slice(0, 300)}`,
    );
    assert.ok(text.length <= limit, `${where} has ${text.length} characters`);
  }
}

describe('a hostile text in a body', () => {
  let directory = '';
  let kubernetes: KubernetesStandIn;
  let deps: TestDeps;
  let service: Listening;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'counterpoise-doors-'));
    kubernetes = await startKubernetesStandIn();
    const lost: string[] = [];
    const location = { kind: 'Kubeconfig', paths: [kubernetes.kubeconfig(directory)] } as const;
    const onEventLost = (because: string): void => {
      lost.push(because);
      deps.logger.warn({ because }, 'an Event was not recorded');
    };
    const api = createKubernetesApi(location, { onEventLost });
    assert.ok(api.ok);
    deps = testDeps({
      settings: testSettings('--verify-parent=false'),
      kubernetes: api.value,
      ...ANSWERING,
    });
    service = await listen(createServer(createApp(deps)));
  });
  after(async () => {
    await service.stop();
    await kubernetes.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  async function post(hook: string, body: unknown): Promise<Answer> {
    const headers = { 'Content-Type': 'application/json' };
    return call(`${service.url}/${hook}/sync`, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  function assertDoors(answer: Answer, loggedBefore: number): void {
    assert.ok([200, 400].includes(answer.status), answer.text.slice(0, 300));
    if (answer.status === 200) {
      const { status } = JSON.parse(answer.text) as { readonly status: Json };
      assertClean('a condition', 2048, status['conditions']);
    } else {
      assertClean('an error', 257, answer.text.trimEnd());
    }
    assertClean('the log', 1024, deps.lines.slice(loggedBefore));
  }

  const bodies: readonly (readonly [hook: string, name: string, body: unknown])[] = [
    ...['05-balancer-ready', '08-balancer-invalid-spec-held', '09-balancer-service-deleted-by-hand'].map(
      (name) =>
        ['balancer', name, recordedExchanges().find((exchange) => exchange.name === name)?.body] as const,
    ),
    ['rebalance', 'one that is due', { parent: posted(wireSpec(), STATUS), children: {}, finalizing: false }],
  ];
  for (const [hook, name, whole] of bodies) {
    // Nothing is read of the controller and of managedFields, which are most of a body.
    const skipped = new Set(['controller', 'managedFields']);
    const body = JSON.parse(
      JSON.stringify(whole, (key, item: unknown) =>
        skipped.has(key) && typeof item === 'object' ? undefined : item,
      ),
    ) as unknown;
    it(`reaches no log line, error or condition of the ${hook} hook as it is, wherever it stands: ${name}`, async function () {
      this.timeout(120_000);
      const all = places(body);
      assert.ok(all.length > 20, `${all.length} places`);
      for (const path of all) {
        const logged = deps.lines.length;
        assertDoors(await post(hook, withKey(withText(body, path, HOSTILE), path, HOSTILE)), logged);
      }
    });
  }

  it('reaches no path of the API, no Event and no metric', async () => {
    for (const request of kubernetes.requests) assertClean('a request', 300, request);
    for (const event of kubernetes.bodies) assertClean('an Event', 1024, event);
    assert.ok(kubernetes.bodies.length > 0, 'there were Events');
    assert.doesNotMatch((await call(`${service.url}/metrics`)).text, /FORGED|owned/);
  });
});
