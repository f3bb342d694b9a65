import { stringify } from 'yaml';
import { certain } from '../../foundation/certain.ts';
import { defined } from '../../foundation/defined.ts';
import { describeAdvice } from '../../rebalance/advice.ts';
import { STAGES } from '../../rebalance/decision.ts';
import { closedGuards } from '../../rebalance/guards.ts';
import type { Sample } from '../../rebalance/sample.ts';
import { describeSplit, resourcesOf } from '../../rebalance/split.ts';
import { CONTESTED } from '../../rebalance/verdict.ts';
import { recordsOf } from '../../rebalance/weighted-set.ts';
import { alignColumns } from '../report/format.ts';
import { isChangeDue, type Evaluation } from './evaluate.ts';

export const EVALUATION_FORMATS = ['table', 'yaml', 'json'] as const;
export type EvaluationFormat = (typeof EVALUATION_FORMATS)[number];

/** An evaluation, stage by stage. */
export function tellEvaluation(evaluation: Evaluation, format: EvaluationFormat): string {
  switch (format) {
    case 'table':
      return evaluationTable(evaluation);
    case 'yaml':
      return stringify(evaluationData(evaluation), { lineWidth: 0 });
    case 'json':
      return `${JSON.stringify(evaluationData(evaluation), null, 2)}\n`;
  }
}

/** The words of the status, beside what it does not keep. */
function evaluationData(evaluation: Evaluation): object {
  const { spec, sample, set, decision } = evaluation;
  const { reason, because, metric, stages, limitedBy, policyWeight, fallback, advice, desired } = decision;
  return {
    changeDue: isChangeDue(evaluation),
    actualValue: set.own.total,
    desiredValue: desired,
    resources: resourcesOf(set.own.records, decision.split),
    metric: { query: spec.metric.query, ...sampleData(sample) },
    ...namedData(evaluation),
    records: recordsOf(set),
    decision: { reason, because, metric, stages, limitedBy, policyWeight, fallback },
    advice,
    ...contestData(evaluation),
  };
}

/** What others did to our weight, in the words of the Event and of Ready; nothing where they left it alone. */
function contestData({ decision: { contest } }: Evaluation): {
  readonly edit?: string;
  readonly contested?: string;
} {
  return defined({ edit: contest.edit, contested: contest.isContested ? CONTESTED : undefined });
}

/** The additional metrics and guards, each with what it says; nothing of what the spec has not. */
function namedData(evaluation: Evaluation): object {
  const additionalMetrics = additionalOf(evaluation).map(({ metric, sample, asks }) => ({
    name: metric.name,
    query: metric.metric.query,
    ...sampleData(sample),
    asks,
  }));
  const guards = guardsOf(evaluation).map(({ guard, sample, isOpen }) => ({
    name: guard.name,
    query: guard.query.query,
    ...sampleData(sample),
    stops: isOpen ? 'nothing' : guard.stops,
  }));
  return {
    ...(additionalMetrics.length === 0 ? {} : { asks: evaluation.decision.asks[0], additionalMetrics }),
    ...(guards.length === 0 ? {} : { guards }),
  };
}

function additionalOf({ spec, additionalSamples, decision }: Evaluation) {
  return spec.additionalMetrics.map((metric, index) => ({
    metric,
    sample: certain(additionalSamples[index], 'the sample of a metric'),
    asks: decision.asks[index + 1],
  }));
}

function guardsOf({ spec, guardSamples }: Evaluation) {
  const closed = new Set(
    closedGuards({ guards: spec.guards, samples: guardSamples }).map(({ name }) => name),
  );
  return spec.guards.map((guard, index) => ({
    guard,
    sample: certain(guardSamples[index], 'the sample of a guard'),
    isOpen: !closed.has(guard.name),
  }));
}

function sampleData(sample: Sample): object {
  return sample.kind === 'Usable'
    ? { value: sample.text }
    : { reason: sample.reason, message: sample.message };
}

/** A row for each query: the number, or why there is none, and what comes of it. */
function queryRows(evaluation: Evaluation): readonly (readonly [string, string])[] {
  const { spec, sample, decision } = evaluation;
  const textOf = (given: Sample): string => (given.kind === 'Usable' ? given.text : given.message);
  const asking = (given: Sample, weight: number | undefined): string =>
    weight === undefined ? textOf(given) : `${textOf(given)}, asks for ${weight}`;
  return [
    ['metric', spec.additionalMetrics.length === 0 ? textOf(sample) : asking(sample, decision.asks[0])],
    ...additionalOf(evaluation).map(
      ({ metric, sample: own, asks: weight }) => [`metric ${metric.name}`, asking(own, weight)] as const,
    ),
    ...guardsOf(evaluation).map(
      ({ guard, sample: own, isOpen }) =>
        [`guard ${guard.name}`, isOpen ? textOf(own) : `${textOf(own)}, stops ${guard.stops}`] as const,
    ),
  ];
}

function evaluationTable(evaluation: Evaluation): string {
  const { set, decision } = evaluation;
  const { stages, limitedBy } = decision;
  const ran = STAGES.flatMap((stage) => {
    const value = stages[stage];
    return value === undefined
      ? []
      : [[stage, value, limitedBy.includes(stage) ? 'changed the outcome' : '']];
  });
  const own = describeSplit(set.own.total, set.own.records);
  const wanted = describeSplit(decision.desired, decision.split);
  const change = isChangeDue(evaluation) ? `${own} -> ${wanted}` : `none, ${own} stays`;
  return [
    alignColumns([
      ...queryRows(evaluation),
      ...recordsOf(set).map(({ identifier, weight }) => ['record', `${identifier}: weight ${weight}`]),
      ['change', change],
      ...Object.entries(contestData(evaluation)),
      ['reason', decision.reason],
      ['because', decision.because],
      ...(decision.advice.length === 0 ? [] : [['advice', describeAdvice(decision.advice)]]),
    ]),
    alignColumns([['STAGE', 'VALUE', ''], ...ran]),
  ].join('\n');
}
