/** A monotonic clock that also wakes: what paces work. Its zero means nothing, only differences do. */
export interface Timer {
  nowMs(): number;
  /** Calls `act` once, `delayMs` from now at the earliest; the answer takes it back. */
  after(delayMs: number, act: () => void): () => void;
}

/** On the clock of `startDeadline`. */
export const systemTimer: Timer = {
  nowMs: () => performance.now(),
  after: (delayMs, act) => {
    const timeout = setTimeout(act, Math.ceil(delayMs));
    return () => clearTimeout(timeout);
  },
};
