import { parseSettings } from '../../src/config/parse.ts';
import type { Settings } from '../../src/config/settings.ts';
import { err } from '../../src/foundation/result.ts';
import type { Deps } from '../../src/hooks/deps.ts';
import { createRivalReader } from '../../src/hooks/rival-reader.ts';
import { createLogger } from '../../src/observability/log.ts';
import { createMetrics } from '../../src/observability/metrics.ts';

/** Deps that touch nothing outside, with what they logged. */
export interface TestDeps extends Deps {
  /** Every log line so far, parsed. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
}

/** Settings as the command line would give them. */
export function testSettings(...argv: readonly string[]): Settings {
  const parsed = parseSettings(argv, {});
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
}

/** Deps for tests: a clock that stands still, no Kubernetes, and ports that answer failures until `overrides` says more. */
export function testDeps(overrides: Partial<Deps> = {}): TestDeps {
  const lines: Record<string, unknown>[] = [];
  const unreachable = { reason: 'TargetUnreachable', message: 'no target', outcomeUnknown: false } as const;
  const logger = createLogger('debug', {
    write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  return {
    settings: testSettings(),
    clock: { nowMs: () => Date.parse('2026-01-05T12:00:00Z') },
    logger,
    metrics: createMetrics(),
    kubernetes: undefined,
    rivals: createRivalReader(overrides.kubernetes),
    metricSource: {
      read: () => Promise.resolve(err({ reason: 'MetricUnreachable', message: 'no metric' })),
    },
    targetStore: {
      readSet: () => Promise.resolve(err(unreachable)),
      writeWeights: () => Promise.resolve(err(unreachable)),
      readChange: () => Promise.resolve(err(unreachable)),
      shortestIntervalMs: () => 0,
    },
    ...overrides,
    lines,
  };
}
