import type { Hook } from './hook.ts';

export const syncBalancer: Hook = () =>
  Promise.resolve({ kind: 'Unavailable', message: 'the Balancer hook is not there yet' });
