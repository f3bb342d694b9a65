import type { SignalProbe } from './history.ts';

/** A change of the reference's share that a load would show clearly. */
const SHARE_CHANGE = 0.1;
/** So many times in a row the metric must follow the share. */
export const FOLLOWED_ENOUGH = 3;

/**
 * Puts one more sample of a demand signal to the question whether it is one. Whenever the share seen has changed by a
 * tenth since the question was put, the metric is compared with what a load (metric x share / share then) and what a
 * demand (the metric then) would be; a load fits better three times in a row, and it looks like one.
 */
export function probeSignal(previous: SignalProbe | undefined, metric: number, share: number): SignalProbe {
  if (previous === undefined) return { metric, share, followed: 0 };
  const ratio = share / previous.share;
  if (!(Math.abs(ratio - 1) >= SHARE_CHANGE)) return previous;
  const isLoad = Math.abs(metric - previous.metric * ratio) < Math.abs(metric - previous.metric);
  return { metric, share, followed: isLoad ? Math.min(previous.followed + 1, FOLLOWED_ENOUGH) : 0 };
}

/** Whether a demand signal has followed the share so often that it must be a load. */
export function looksLikeLoad(probe: SignalProbe | undefined): boolean {
  return probe !== undefined && probe.followed >= FOLLOWED_ENOUGH;
}
