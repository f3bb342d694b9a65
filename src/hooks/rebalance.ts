import type { Hook } from './hook.ts';

export const syncRebalance: Hook = () =>
  Promise.resolve({ kind: 'Unavailable', message: 'the Rebalance hook is not there yet' });
