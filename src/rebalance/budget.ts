/** Kept free of the query, for one read of the set and one write. */
const TARGET_RESERVE_MS = 3_000;

/** The timeout that a query really has: at most what the deadline leaves less 3 s for Route 53; 0 where nothing is left. */
export function usedTimeoutMs(timeoutMs: number, remainingMs: number): number {
  return Math.max(0, Math.min(timeoutMs, remainingMs - TARGET_RESERVE_MS));
}
