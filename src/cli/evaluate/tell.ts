import { stringify } from 'yaml';
import { describeAdvice } from '../../rebalance/advice.ts';
import { STAGES } from '../../rebalance/decision.ts';
import type { Sample } from '../../rebalance/sample.ts';
import { describeSplit, resourcesOf } from '../../rebalance/split.ts';
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
  const { reason, because, stages, limitedBy, policyWeight, fallback, advice, desired } = decision;
  return {
    changeDue: isChangeDue(evaluation),
    actualValue: set.own.total,
    desiredValue: desired,
    resources: resourcesOf(set.own.records, decision.split),
    metric: { query: spec.metric.query, ...sampleData(sample) },
    records: [...set.own.records, ...set.others],
    decision: { reason, because, stages, limitedBy, policyWeight, fallback },
    advice,
  };
}

function sampleData(sample: Sample): object {
  return sample.kind === 'Usable'
    ? { value: sample.text }
    : { reason: sample.reason, message: sample.message };
}

function evaluationTable(evaluation: Evaluation): string {
  const { sample, set, decision } = evaluation;
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
      ['metric', sample.kind === 'Usable' ? sample.text : sample.message],
      ...[...set.own.records, ...set.others].map(({ identifier, weight }) => [
        'record',
        `${identifier}: weight ${weight}`,
      ]),
      ['change', change],
      ['reason', decision.reason],
      ['because', decision.because],
      ...(decision.advice.length === 0 ? [] : [['advice', describeAdvice(decision.advice)]]),
    ]),
    alignColumns([['STAGE', 'VALUE', ''], ...ran]),
  ].join('\n');
}
