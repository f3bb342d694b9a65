import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issue, makeCa, type Identity } from '../support/certificates.ts';
import type { ConnectionFault } from '../support/fault-proxy.ts';
import { startKubernetesStandIn, type KubernetesStandIn } from '../support/kubernetes-stand-in.ts';
import { hasPassed } from '../support/suite.ts';
import {
  BUDGET_MS,
  createSubject,
  letTimePass,
  MARGIN_MS,
  NEW,
  SERIES,
  startBetween,
  syncOnce,
  type Between,
} from './between.ts';
import type { Symptom } from './faults.ts';
import { startOutside, type Outside } from './outside.ts';
import { fine, reasonOf, STAGES, type StageName } from './stages.ts';

interface TlsRow {
  readonly name: string;
  readonly symptom: Exclude<Symptom, 'None'>;
  /** Prometheus' adapter tells what is wrong with TLS itself; the others tell a connection that failed. */
  readonly isTold?: boolean;
  readonly fault: (identities: Identities) => ConnectionFault;
}

interface Identities {
  readonly ca: Identity;
  readonly stranger: Identity;
}

const ROWS: readonly TlsRow[] = [
  {
    name: 'a certificate of a CA that nobody trusts',
    symptom: 'Lost',
    isTold: true,
    fault: ({ stranger }) => presenting(stranger),
  },
  {
    name: 'a certificate without the name',
    symptom: 'Lost',
    isTold: true,
    fault: ({ ca }) => presenting(ca),
  },
  {
    name: 'a connection cut in the handshake',
    symptom: 'Lost',
    fault: () => (socket) => socket.once('data', () => socket.resetAndDestroy()),
  },
  {
    name: 'a server that does not speak TLS',
    symptom: 'Lost',
    isTold: true,
    fault: () => (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  },
  { name: 'a handshake without an answer', symptom: 'Late', fault: () => (socket) => socket.resume() },
];

function presenting({ cert, key }: Identity): ConnectionFault {
  const server = createServer({ cert, key });
  return (socket) => server.emit('connection', socket);
}

/** One stage of each server. */
const ASKED: readonly StageName[] = ['object', 'metric', 'list'];

/** What the object wants once the fault begins. */
const WANTED = 40;

describe('Every fault of TLS itself, at every server that is asked', function () {
  this.timeout(120_000);
  let directory: string;
  let outside: Outside;
  let api: KubernetesStandIn;
  let between: Between;
  let identities: Identities;
  let number = 0;
  const startMs = performance.now();

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'counterpoise-tls-'));
    identities = { ca: makeCa(directory, 'ca'), stranger: makeCa(directory, 'stranger') };
    const { ca } = identities;
    api = await startKubernetesStandIn();
    outside = await startOutside(directory);
    outside.exporter.set(SERIES);
    await outside.prometheus.waitFor(SERIES.name, SERIES.value);
    const tls = { ca, identity: issue(directory, 'server', ca) };
    between = await startBetween({ directory: join(directory, 'between'), outside, api, tls });
  });
  after(async function () {
    const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
    process.stderr.write(
      `      ${number} cases of ${ROWS.length} faults at ${ASKED.length} servers in ${seconds} s\n`,
    );
    await Promise.all([between, api].map((part) => part.stop()));
    await outside.stop();
    if (hasPassed(this.test?.parent)) await rm(directory, { recursive: true });
    else process.stderr.write(`      logs of the processes: ${directory}\n`);
  });

  for (const name of ASKED) {
    for (const { name: what, symptom, isTold = false, fault } of ROWS) {
      it(`${what}, at ${STAGES[name].name}: the weight stays, the reason is said, the next sync moves it`, async () => {
        const stage = STAGES[name];
        number += 1;
        const subject = await createSubject(number, { outside, api, between });
        await syncOnce(between.service, subject);
        assert.equal(await subject.zone.weightOf('own'), NEW);
        letTimePass(subject);
        subject.edit(({ spec, ...rest }) => ({
          ...rest,
          spec: { ...spec, policy: { targettracking: { baseValue: 8, targetValue: 500 } } },
        }));

        stage.proxy(between).disturbConnections(fault(identities));
        const during = await syncOnce(between.service, subject);
        stage.proxy(between).disturbConnections(undefined);
        assert.equal(await subject.zone.weightOf('own'), NEW, during.line);
        const reason = isTold && name === 'metric' ? 'TlsFailed' : stage.reasons[symptom];
        assert.equal(reasonOf(during, stage), reason, during.line);
        assert.ok(during.tookMs < BUDGET_MS + MARGIN_MS, `${during.tookMs} ms`);

        letTimePass(subject);
        const after = await syncOnce(between.service, subject);
        assert.equal(await subject.zone.weightOf('own'), WANTED, after.line);
        assert.equal(reasonOf(after, stage), fine(stage), after.line);
      });
    }
  }
});
