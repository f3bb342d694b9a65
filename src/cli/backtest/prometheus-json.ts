import { z } from 'zod';
import { err, ok, type Result } from '../../foundation/result.ts';
import type { Point } from './series.ts';

/** https://prometheus.io/docs/prometheus/latest/querying/api/#range-queries */
const rangeAnswer = z.object({
  data: z.object({
    resultType: z.literal('matrix'),
    result: z.array(z.object({ values: z.array(z.tuple([z.number(), z.string()])).default([]) })),
  }),
  warnings: z.array(z.string()).default([]),
});

/** The points of a range query's answer; undefined: it is none. The error is one line about what it holds. */
export function readRangeAnswer(body: unknown): Result<readonly Point[], string> | undefined {
  const parsed = rangeAnswer.safeParse(body);
  if (!parsed.success) return undefined;
  const { data, warnings } = parsed.data;
  const [series, ...others] = data.result;
  if (warnings[0] !== undefined) return err(`Prometheus warns that the result is incomplete: ${warnings[0]}`);
  if (others.length > 0)
    return err(
      `the result has ${data.result.length} series, expected one; aggregate them, for example with sum(...)`,
    );
  return ok((series?.values ?? []).map(([seconds, text]) => ({ atMs: Math.round(seconds * 1000), text })));
}
