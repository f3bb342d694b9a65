import { Agent } from 'node:http';
import { call } from '../call.ts';
import { posted } from '../rebalance-world.ts';
import { wireSpec } from '../rebalance.ts';
import { recordedExchanges } from '../recorded.ts';
import { fuzzBody } from './bodies.ts';
import { judge } from './judge.ts';
import { createRandom, type Random } from './random.ts';

export interface Campaign {
  readonly url: string;
  readonly seed: number;
  readonly bodies: number;
  /** Told after every tenth of the bodies. */
  readonly onProgress?: (done: number) => Promise<void>;
}

/** How many bodies of each kind got which answer: "structured 200". */
export type Tally = Readonly<Record<string, number>>;

const AT_A_TIME = 8;

/** Posts bodies to both hooks; the first answer that is not as it must be is thrown, with what it takes to see it again. */
export async function runCampaign({ url, seed, bodies, onProgress }: Campaign): Promise<Tally> {
  const random = createRandom(seed);
  const wholes = wholeBodies();
  const agent = new Agent({ keepAlive: true, maxSockets: AT_A_TIME });
  const tally: Record<string, number> = {};
  try {
    for (let done = 0; done < bodies;) {
      const batch = Array.from({ length: Math.min(AT_A_TIME, bodies - done) }, (_, index) => ({
        number: done + index,
        ...oneOf(random, wholes),
      }));
      await Promise.all(
        batch.map(async ({ number, path, kind, bytes }) => {
          const headers = { 'Content-Type': 'application/json' };
          try {
            const answer = await call(`${url}${path}`, { method: 'POST', headers, body: bytes, agent });
            judge(bytes, answer);
            tally[`${kind} ${answer.status}`] = (tally[`${kind} ${answer.status}`] ?? 0) + 1;
          } catch (error) {
            const why = error instanceof Error ? error.message : String(error);
            throw new Error(
              `body ${number} of seed ${seed} at ${path}: ${why}\n${bytes.toString().slice(0, 20_000)}`,
              { cause: error },
            );
          }
        }),
      );
      done += batch.length;
      if (done % Math.ceil(bodies / 10) < AT_A_TIME) await onProgress?.(done);
    }
    return tally;
  } finally {
    agent.destroy();
  }
}

interface Whole {
  readonly path: string;
  readonly body: unknown;
}

/** One in twenty goes to the hook that it was not made for. */
function oneOf(
  random: Random,
  wholes: readonly [Whole, ...Whole[]],
): { path: string } & ReturnType<typeof fuzzBody> {
  const { path, body } = random.pick(wholes);
  const other = path === '/balancer/sync' ? '/rebalance/sync' : '/balancer/sync';
  return { path: random.oneIn(20) ? other : path, ...fuzzBody(random, body) };
}

function wholeBodies(): readonly [Whole, ...Whole[]] {
  const status = { lastAttemptAt: '2026-03-04T11:59:59Z', decision: { generation: 1 } };
  return [
    { path: '/rebalance/sync', body: { parent: posted(wireSpec(), status), children: {} } },
    ...recordedExchanges().map(({ path, body }) => ({
      path: path.startsWith('/') ? path : `/${path}`,
      body,
    })),
  ];
}
