import { startDeadline } from '../../foundation/deadline.ts';
import { parseJson } from '../../foundation/json.ts';
import { err, ok, type Result } from '../../foundation/result.ts';
import { readAnswer, type HttpAnswer } from '../../rebalance/metrics/prometheus-answer.ts';
import type { QueryRange } from '../../rebalance/metrics/prometheus-request.ts';
import type { Prometheus } from '../../rebalance/metrics/prometheus.ts';
import type { SecretReader } from '../../rebalance/secrets.ts';
import type { PrometheusQuery } from '../../rebalance/spec.ts';
import { readRangeAnswer } from './prometheus-json.ts';
import { fillGaps, type Point } from './series.ts';

/** Prometheus refuses to answer more points of a series at once: web/api/v1, "exceeded maximum resolution". */
const MAX_POINTS = 11_000;
/** What one answer may take; usedTimeoutMs keeps 3 s of it free. */
const ANSWER_MS = 63_000;

/** A range in parts of at most 11,000 points each, which together are its whole grid. */
export function chunksOf({ fromMs, toMs, stepMs }: QueryRange): readonly QueryRange[] {
  const chunks: QueryRange[] = [];
  for (let startMs = fromMs; startMs <= toMs; startMs += MAX_POINTS * stepMs)
    chunks.push({ fromMs: startMs, toMs: Math.min(toMs, startMs + (MAX_POINTS - 1) * stepMs), stepMs });
  return chunks;
}

/** Who is asked, and where the credentials for it are. */
export interface RangeSource {
  readonly prometheus: Prometheus;
  readonly secrets: SecretReader;
}

/** The metric's past, one part after the other; `onChunk` hears how many are done of how many. */
export async function fetchPoints(
  query: PrometheusQuery,
  range: QueryRange,
  { prometheus, secrets }: RangeSource,
  onChunk: (done: number, all: number) => void,
): Promise<Result<readonly Point[], string>> {
  const chunks = chunksOf(range);
  const points: Point[] = [];
  for (const [index, chunk] of chunks.entries()) {
    const patient = { ...query, timeoutMs: ANSWER_MS };
    const context = { secrets, caller: 'counterpoise-backtest', deadline: startDeadline(ANSWER_MS) };
    const answer = await prometheus.readRange(patient, chunk, context);
    const read = answer.ok ? readPoints(query.path, answer.value) : err(answer.error.message);
    if (!read.ok) return err(read.error.replaceAll(`${query.path}.address`, '--prometheus'));
    points.push(...read.value);
    onChunk(index + 1, chunks.length);
  }
  if (points.length === 0) return err(`${query.path}.query: the range has no points`);
  return ok(fillGaps(points, range.stepMs));
}

/** The points of an answer; what is wrong with one that is no range is said in the words of the instant query. */
function readPoints(path: string, answer: HttpAnswer): Result<readonly Point[], string> {
  const points = answer.status === 200 ? readRangeAnswer(parseJson(answer.body)) : undefined;
  if (points?.ok === false) return err(`${path}.query: ${points.error}`);
  if (points !== undefined) return points;
  const instant = readAnswer(path, answer);
  return err(instant.ok ? `${path}.query: the answer is no range` : instant.error.message);
}
