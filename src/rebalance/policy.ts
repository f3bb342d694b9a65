import { certain } from '../foundation/certain.ts';
import { rational, type Rational } from '../foundation/rational.ts';
import { followedMetrics } from './followed-metrics.ts';
import { readHistory } from './load/history-status.ts';
import type { History } from './load/history.ts';
import { rememberSet, type SetFacts } from './load/remember.ts';
import { judgeMetric, type HeldMetric, type MetricVerdict, type TrackedMetric } from './metric-verdict.ts';
import type { Recollection } from './recall.ts';
import { baseOf } from './reference.ts';
import { metricSamples, type Samples } from './sample.ts';
import { runStages, startTrail, type Trail } from './stages.ts';

/** What the policy made of the samples. */
export type PolicyVerdict = {
  /** The weight that each metric asks for, as `Decision.asks`. */
  readonly asks: readonly (number | undefined)[];
  readonly history: History;
} &
  /** The metric that asks for the most has the word. */
  (
    | (TrackedMetric & {
        /** How many metrics asked for a weight. */
        readonly asking: number;
        /** Those that could not. */
        readonly unusable: readonly HeldMetric[];
      })
    /** No metric could; it stays where it is, for the reason of the first. */
    | (HeldMetric & { readonly trail: Trail })
  );

/** What the policy is run on. */
export interface PolicyFacts extends SetFacts, Samples {}

/**
 * Runs the law on each metric that has a usable sample, and takes the largest weight that one asks for. While another
 * cannot be used, that is only a floor for what it would ask for: the weight may rise, but not fall. (Both are the rules of
 * Kubernetes' Horizontal Pod Autoscaler for several metrics.) Without any it holds what the recollection says.
 */
export function runPolicy(facts: PolicyFacts, memory: Recollection): PolicyVerdict {
  const { spec, set, generation, intervalMs, nowMs } = facts;
  const remembered = rememberSet(readHistory(facts.status.history), facts);
  const { lastWanted } = memory;
  const common = { history: remembered, base: baseOf(spec, set), lastWanted, generation, intervalMs, nowMs };
  const samples = metricSamples(facts);
  const verdicts = followedMetrics(spec).map((metric, index) => {
    const sample = certain(samples[index], 'the sample of a metric');
    return judgeMetric(metric, sample, certain(remembered.signals[index], 'its memory'), common);
  });
  const history = { ...remembered, signals: verdicts.map(({ signal }) => signal) };
  return combine(verdicts, memory, history);
}

function combine(
  verdicts: readonly MetricVerdict[],
  { withoutSample }: Recollection,
  history: History,
): PolicyVerdict {
  const unusable = verdicts.filter((verdict) => verdict.kind === 'Held');
  const asking = verdicts.filter((verdict) => verdict.kind === 'Tracked');
  const asks = verdicts.map((one) => (one.kind === 'Tracked' ? one.trail.wanted.valueOf() : undefined));
  if (asking.length === 0) {
    const first = certain(unusable[0], 'a metric of the spec');
    return { ...first, trail: startTrail(rational(withoutSample)), asks, history };
  }
  const largest = asking.reduce((most, one) => (asksForMore(one, most) ? one : most));
  const trail = unusable.length === 0 ? largest.trail : keepFromFall(largest.trail, rational(withoutSample));
  return { ...largest, trail, asking: asking.length, unusable, asks, history };
}

/** Of two that end at the same weight, the one further above its target; else the earlier one stays. */
function asksForMore(one: TrackedMetric, other: TrackedMetric): boolean {
  const order = one.trail.wanted.compare(other.trail.wanted);
  return order > 0 || (order === 0 && ratioOf(one).gt(ratioOf(other)));
}

function ratioOf({ demand, targetValue }: TrackedMetric): Rational {
  return demand.div(targetValue);
}

function keepFromFall(trail: Trail, least: Rational): Trail {
  return runStages(
    [{ stage: 'hold', apply: (wanted) => (wanted.lt(least) ? least : wanted) }],
    undefined,
    trail,
  );
}
