import { ok } from '../../../src/foundation/result.ts';
import type { Deps } from '../../../src/hooks/deps.ts';
import { value } from '../rebalance-world.ts';
import { setOf } from '../rebalance.ts';

/** A metric and a target that always answer: every sync of a Rebalance goes all its way. */
export const ANSWERING: Pick<Deps, 'metricSource' | 'targetStore'> = {
  metricSource: { read: () => Promise.resolve(value('3000')) },
  targetStore: {
    shortestIntervalMs: () => 0,
    readSet: () => Promise.resolve(ok({ set: setOf(1, 8), asRead: undefined, isFresh: true })),
    writeWeights: () => Promise.resolve(ok({ id: 'C1', status: 'PENDING' })),
    readChange: () => Promise.resolve(ok({ id: 'C1', status: 'INSYNC' })),
  },
};
