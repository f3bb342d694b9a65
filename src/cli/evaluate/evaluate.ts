import { err, ok, type Result } from '../../foundation/result.ts';
import type { HookContext } from '../../hooks/hook.ts';
import { callContext } from '../../hooks/rebalance-attempt.ts';
import type { RebalanceObject } from '../../hooks/rebalance-object.ts';
import { describeProblems } from '../../kubernetes/spec-problem.ts';
import { decide, writeForbiddenBy } from '../../rebalance/decide.ts';
import type { Decision } from '../../rebalance/decision.ts';
import { readSamples } from '../../rebalance/metrics/read-samples.ts';
import { failedSamples, type Samples } from '../../rebalance/sample.ts';
import type { RebalanceSpec } from '../../rebalance/spec.ts';
import { changedWeights } from '../../rebalance/split.ts';
import type { WeightedSet } from '../../rebalance/targets/port.ts';

/** What an attempt now would see and decide. */
export interface Evaluation extends Samples {
  readonly spec: RebalanceSpec;
  readonly set: WeightedSet;
  readonly decision: Decision;
}

/**
 * An attempt as the hook makes it, without its last part: nothing is written, neither weight nor status. The error is
 * one line: a bad spec, or records that cannot be read; a metric that failed is part of the decision.
 */
export async function evaluate(
  object: RebalanceObject,
  context: HookContext,
): Promise<Result<Evaluation, string>> {
  const { deps, nowMs } = context;
  const { parsed, generation, status, intervalMs } = object;
  if (!parsed.ok) return err(describeProblems(parsed.error));
  const { spec } = parsed.value;
  const calls = callContext(object, context);
  const samples = await readSamples(spec, deps.metricSource, calls);
  const reading = await deps.targetStore.readSet(spec.target, calls);
  const failures = [...failedSamples(samples), ...(reading.ok ? [] : [reading.error])];
  const secret = failures.find(({ reason }) => reason === 'SecretUnavailable');
  if (secret !== undefined && deps.kubernetes === undefined)
    return err(`${secret.message}; --kubeconfig says where Secrets are read`);
  if (!reading.ok) return err(reading.error.message);
  const { set } = reading.value;
  const writeForbidden = writeForbiddenBy(spec, deps.settings.rebalance.observeOnly);
  const observation = { spec, generation, status, set, ...samples, intervalMs, nowMs, writeForbidden };
  return ok({ spec, ...samples, set, decision: decide(observation) });
}

/** Whether a record should have another weight than it has; who forbids writing does not matter. */
export function isChangeDue({ decision, set }: Evaluation): boolean {
  return changedWeights(decision.split, set.own).length > 0;
}
