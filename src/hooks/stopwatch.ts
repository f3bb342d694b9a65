/** Durations by stage, in milliseconds on the monotonic clock; for logs and metrics, never for a decision. */
export interface Stopwatch {
  /** Ends the stage that began with the last lap (or the start); a stage that comes twice adds up. */
  lap(stage: string): void;
  readonly stagesMs: Readonly<Record<string, number>>;
}

/** The first stage begins now. */
export function startStopwatch(): Stopwatch {
  const stagesMs: Record<string, number> = {};
  let startMs = performance.now();
  return {
    stagesMs,
    lap: (stage) => {
      const endMs = performance.now();
      stagesMs[stage] = (stagesMs[stage] ?? 0) + endMs - startMs;
      startMs = endMs;
    },
  };
}
