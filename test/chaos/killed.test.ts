import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startKubernetesStandIn, type KubernetesStandIn } from '../support/kubernetes-stand-in.ts';
import { hasPassed } from '../support/suite.ts';
import { conditionOf } from '../e2e/rebalance.ts';
import { createSubject, NEW, OLD, SERIES, startBetween, syncOnce } from './between.ts';
import { startOutside, type Outside } from './outside.ts';
import { seededRandom } from './random.ts';
import { STAGES } from './stages.ts';

const SEED = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000);
const KILLS = Number(process.env['CHAOS_KILLS'] ?? 50);

/** How long a write is on its way to Route 53, and its answer on the way back. */
const WAY_MS = 30;

/** What the metric asks for: twice the reference at one target, five times at the other. */
const WEIGHTS = [
  { targetValue: 1000, weight: NEW },
  { targetValue: 500, weight: 40 },
] as const;

type Moment = 'before Route 53 heard of it' | 'when it was done and nobody knew' | 'when it was answered';

/** What the proxy knows of one write. */
interface Write {
  readonly began: Promise<undefined>;
  /** Resolves when nothing of it is on its way any more. */
  readonly ended: Promise<undefined>;
  moment: Moment;
}

describe(`kill -9 in the middle of a write, ${KILLS} times (CHAOS_SEED=${SEED})`, function () {
  this.timeout(25 * 60_000);
  let directory: string;
  let outside: Outside;
  let api: KubernetesStandIn;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'counterpoise-killed-'));
    api = await startKubernetesStandIn();
    outside = await startOutside(directory);
    outside.exporter.set(SERIES);
    await outside.prometheus.waitFor(SERIES.name, SERIES.value);
  });
  after(async function () {
    await Promise.all([api.stop(), outside.stop()]);
    if (hasPassed(this.test?.parent)) await rm(directory, { recursive: true });
    else process.stderr.write(`      logs of the processes: ${directory}\n`);
  });

  it('leaves the old weight or the new one; the next process catches up, and writes only what was not written', async () => {
    const random = seededRandom(SEED);
    const beganMs = performance.now();
    const between = await startBetween({ directory: join(directory, 'killed'), outside, api });
    const subject = await createSubject(1, { outside, api, between });
    const { aws } = between;
    const moments = new Map<Moment, number>();
    let service = between.service;
    let before: number = OLD;

    /** Writes that Route 53 has heard of, since a call of the proxy. */
    const writesSince = (start: number): number =>
      aws.calls.slice(start).filter((call) => call.reached && STAGES.write.matches(subject, call)).length;

    const watchWrite = (): Write & { readonly lift: () => void } => {
      const began = Promise.withResolvers<undefined>();
      const ended = Promise.withResolvers<undefined>();
      const write: Write = {
        began: began.promise,
        ended: ended.promise,
        moment: 'before Route 53 heard of it',
      };
      const lift = aws.disturb(
        (asked) => STAGES.write.matches(subject, asked),
        async ({ ask, answer, isOver }) => {
          began.resolve(undefined);
          await delay(WAY_MS);
          if (!isOver()) {
            const told = await ask();
            write.moment = 'when it was done and nobody knew';
            await delay(WAY_MS);
            if (!isOver()) {
              answer(told);
              write.moment = 'when it was answered';
            }
          }
          ended.resolve(undefined);
        },
      );
      return Object.assign(write, { lift });
    };

    try {
      for (let round = 1; round <= KILLS; round += 1) {
        const { targetValue, weight } = WEIGHTS[round % 2 === 0 ? 1 : 0];
        subject.edit(({ metadata, spec, ...rest }) => ({
          ...rest,
          metadata: { ...metadata, generation: metadata.generation + 1 },
          spec: { ...spec, policy: { targettracking: { baseValue: 8, targetValue } } },
        }));
        const start = aws.calls.length;
        const write = watchWrite();
        const synced = syncOnce(service, subject).catch(() => undefined);
        await Promise.race([
          write.began,
          synced.then((end) => assert.ok(end === undefined || end.httpStatus === 200, end?.line)),
        ]);
        await delay(random() * 3 * WAY_MS);
        process.kill(service.pid, 'SIGKILL');
        await service.stop();
        await Promise.all([write.ended, synced]);
        write.lift();
        const { moment } = write;
        moments.set(moment, (moments.get(moment) ?? 0) + 1);
        const written = writesSince(start);
        const left = await subject.zone.weightOf('own');
        assert.equal(left, written === 0 ? before : weight, `round ${round}: ${moment}`);

        service = await between.startService();
        const { answer, line } = await syncOnce(service, subject);
        assert.equal(await subject.zone.weightOf('own'), weight, line);
        assert.equal(
          writesSince(start),
          1,
          `round ${round}: one write in both processes together; ${moment}`,
        );
        assert.deepEqual(
          [answer?.status.actualValue, answer?.status.desiredValue, answer?.status.condition],
          [weight, weight, 'Healthy'],
          line,
        );
        assert.equal(answer === undefined ? '' : conditionOf(answer.status, 'TargetSynced').reason, 'InSync');
        before = weight;
      }
    } finally {
      await service.stop();
      await between.stop();
    }
    const told = [...moments].map(([moment, count]) => `${count} ${moment}`).join(', ');
    const seconds = ((performance.now() - beganMs) / 1000).toFixed(0);
    process.stderr.write(
      `      ${KILLS} kills (${told}), ${writesSince(0)} writes done, ${aws.calls.length} calls of AWS in ${seconds} s, seed ${SEED}\n`,
    );
  });
});
