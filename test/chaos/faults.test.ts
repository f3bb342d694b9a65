import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { issue, makeCa, type Identity } from '../support/certificates.ts';
import { startKubernetesStandIn, type KubernetesStandIn } from '../support/kubernetes-stand-in.ts';
import { hasPassed } from '../support/suite.ts';
import {
  BUDGET_MS,
  createSubject,
  letTimePass,
  MARGIN_MS,
  NEW,
  OLD,
  SERIES,
  startBetween,
  syncOnce,
  type Between,
  type Subject,
  type Synced,
} from './between.ts';
import { FAULTS, type FaultRow } from './faults.ts';
import { startOutside, type Outside } from './outside.ts';
import { fine, pendingChange, reasonOf, STAGES, type Stage, type StageName } from './stages.ts';

/** Cases that run at a time: those whose answer never comes wait and cost nothing, the others keep both servers busy. */
const WAITING_AT_A_TIME = 10;
const WORKING_AT_A_TIME = 3;

/** Over TLS one stage of each server. */
const TRANSPORTS = {
  plain: Object.keys(STAGES) as StageName[],
  TLS: ['object', 'metric', 'write'],
} as const satisfies Record<string, readonly StageName[]>;
type Transport = keyof typeof TRANSPORTS;

interface Case {
  readonly key: string;
  readonly transport: Transport;
  readonly stage: StageName;
  readonly row: FaultRow;
}

const CASES: readonly Case[] = Object.entries(TRANSPORTS).flatMap(([transport, stages]) =>
  stages.flatMap((stage) =>
    FAULTS.map((row) => ({
      key: `${transport} ${stage} ${row.name}`,
      transport: transport as Transport,
      stage,
      row,
    })),
  ),
);

/** All that one case came to, judged when its test comes. */
interface Course {
  readonly subject: Subject;
  readonly during: Synced;
  readonly weightDuring: number | undefined;
  readonly after: Synced;
  readonly weightAfter: number | undefined;
  /** Weights that the proxy saw asked for, in the sync of the fault and after it. */
  readonly writes: readonly [readonly number[], readonly number[]];
}

describe('Every fault of every server that is asked, at every stage', function () {
  this.timeout(240_000);
  let directory: string;
  let outside: Outside;
  let api: KubernetesStandIn;
  let betweens: Readonly<Record<Transport, Between>>;
  const courses = new Map<string, Promise<Course>>();
  const again: string[] = [];
  const startMs = performance.now();

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'counterpoise-faults-'));
    const ca = makeCa(directory, 'ca');
    const identity = issue(directory, 'server', ca);
    api = await startKubernetesStandIn();
    outside = await startOutside(directory);
    outside.exporter.set(SERIES);
    await outside.prometheus.waitFor(SERIES.name, SERIES.value);
    const start = (name: Transport, tls?: { identity: Identity; ca: Identity }): Promise<Between> =>
      startBetween({ directory: join(directory, name), outside, api, tls });
    betweens = { plain: await start('plain'), TLS: await start('TLS', { identity, ca }) };
    const waiting = pLimit(WAITING_AT_A_TIME);
    const working = pLimit(WORKING_AT_A_TIME);
    for (const [index, { key, row, stage, transport }] of CASES.entries()) {
      const lane = row.symptom === 'Late' ? waiting : working;
      const course = lane(() => run(row, stage, betweens[transport], index));
      course.catch(() => undefined); // its test says so
      courses.set(key, course);
    }
  });

  after(async function () {
    await Promise.allSettled(courses.values());
    const calls = Object.values(betweens).flatMap((each) => [each.kubernetes, each.prometheus, each.aws]);
    const count = calls.reduce((sum, proxy) => sum + proxy.calls.length, 0);
    const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
    process.stderr.write(
      `      ${courses.size} cases of ${FAULTS.length} faults at ${Object.keys(STAGES).length} stages: ${count} calls in ${seconds} s; ${again.length} tried twice${again.map((name) => `\n        ${name}`).join('')}\n`,
    );
    await Promise.all([...Object.values(betweens), api].map((part) => part.stop()));
    await outside.stop();
    if (hasPassed(this.test?.parent)) await rm(directory, { recursive: true });
    else process.stderr.write(`      logs of the processes: ${directory}\n`);
  });

  async function run(row: FaultRow, name: StageName, between: Between, number: number): Promise<Course> {
    const stage: Stage = STAGES[name];
    const { service, aws } = between;
    const subject = await createSubject(number, { outside, api, between });
    if (name === 'poll') await leavePending(between, subject);
    const writesFrom = (start: number): readonly number[] =>
      aws.calls
        .slice(start)
        .filter((call) => STAGES.write.matches(subject, call))
        .map(({ body }) => Number(/<Weight>(\d+)</.exec(body)?.[1]));
    const beforeIt = aws.calls.length;
    const lift = stage.proxy(between).disturb((asked) => stage.matches(subject, asked), row.make());
    const during = await syncOnce(service, subject);
    const weightDuring = await subject.zone.weightOf('own');
    lift();
    const writesDuring = writesFrom(beforeIt);
    const afterIt = aws.calls.length;
    letTimePass(subject);
    const after = await syncOnce(service, subject);
    const weightAfter = await subject.zone.weightOf('own');
    return { subject, during, weightDuring, after, weightAfter, writes: [writesDuring, writesFrom(afterIt)] };
  }

  /** A weight that is written, and a change that Route 53 has not told everybody about. */
  async function leavePending({ service }: Between, subject: Subject): Promise<void> {
    await syncOnce(service, subject);
    letTimePass(subject);
    subject.edit(({ status, ...object }) => {
      const change = { id: pendingChange(subject), status: 'PENDING', submittedAt: '2026-01-01T00:00:00Z' };
      return { ...object, status: { ...status, lastAttemptAt: new Date().toISOString(), change } };
    });
  }

  for (const [index, { key, transport, stage, row }] of CASES.entries()) {
    it(`${row.name}, at ${STAGES[stage].name}, ${transport}`, async () => {
      const course = await (courses.get(key) ?? assert.fail('no such case'));
      try {
        judge(row, stage, course);
      } catch {
        // A machine that stands still for seconds spends the budget of whoever runs then: once more, and that counts.
        again.push(`${row.name}, at ${STAGES[stage].name}, ${transport}`);
        judge(row, stage, await run(row, stage, betweens[transport], CASES.length + index));
      }
    });
  }
});

function judge(row: FaultRow, name: StageName, course: Course): void {
  const stage: Stage = STAGES[name];
  const { during, weightDuring, after, weightAfter, writes } = course;
  const isFine = row.symptom === 'None' || (row.passes === true && stage.isRetried);
  const isWritten = name === 'poll' || isFine || (name === 'write' && row.reaches);
  const told = during.line;

  for (const { tookMs } of [during, after])
    assert.ok(tookMs < BUDGET_MS + MARGIN_MS, `${tookMs} ms of a budget of ${BUDGET_MS} ms`);
  assert.equal(weightDuring, isWritten ? NEW : OLD, told);
  assert.equal(weightAfter, NEW, after.line);
  for (const weight of writes.flat()) assert.equal(weight, NEW, 'no other weight is ever asked for');
  // A request that may have been lost is sent again in the same sync; after it, what DNS holds is read.
  assert.ok(writes[0].length <= (name === 'write' ? 3 : 1), `${writes[0].length} writes in one sync`);
  assert.equal(writes[1].length, isWritten ? 0 : 1, 'writes once the fault is over');
  assert.equal(
    reasonOf(during, stage),
    row.symptom === 'None' || isFine ? fine(stage) : stage.reasons[row.symptom],
    told,
  );
  assert.equal(reasonOf(after, stage), fine(stage), after.line);
  if (name !== 'poll') assert.equal(after.answer?.status.condition, 'Healthy', after.line);
}
