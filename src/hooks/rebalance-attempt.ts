import { unreachable } from '../foundation/exhaustive.ts';
import { decide, writeForbiddenBy } from '../rebalance/decide.ts';
import type { Attempt, Effect, Outcome } from '../rebalance/decision.ts';
import { rescueFromAllZero } from '../rebalance/limits.ts';
import { toSample } from '../rebalance/sample.ts';
import type { CallContext } from '../rebalance/secrets.ts';
import type { Route53Target } from '../rebalance/spec.ts';
import { changedWeights, splitWeight, withChanges } from '../rebalance/split.ts';
import type { SetReading, TargetStore } from '../rebalance/targets/port.ts';
import type { HookContext } from './hook.ts';
import type { RebalanceObject } from './rebalance-object.ts';
import { createSecretReader } from './secret-reader.ts';
import type { Stopwatch } from './stopwatch.ts';

/** One attempt: observe, decide, apply. The stopwatch learns how long what is awaited takes. */
export async function attempt(
  object: RebalanceObject,
  context: HookContext,
  stopwatch: Stopwatch,
): Promise<Attempt> {
  const { deps, nowMs } = context;
  const { parsed, generation, status } = object;
  if (!parsed.ok) return { kind: 'InvalidSpec', problems: parsed.error };
  const { spec } = parsed.value;
  if (spec.suspend) return { kind: 'Suspended' };

  const calls = callContext(object, context);
  const sample = toSample(await deps.metricSource.read(spec.metric, calls), spec.metric.noData);
  stopwatch.lap('metric');
  const reading = await deps.targetStore.readSet(spec.target, calls);
  stopwatch.lap('target');
  if (!reading.ok) return { kind: 'TargetUnread', spec, sample, failure: reading.error };

  const { set } = reading.value;
  const writeForbidden = writeForbiddenBy(spec, deps.settings.rebalance.observeOnly);
  const decision = decide({
    spec,
    generation,
    status,
    set,
    sample,
    intervalMs: object.intervalMs,
    nowMs,
    writeForbidden,
  });
  const outcome = await apply(decision.effect, reading.value, {
    target: spec.target,
    store: deps.targetStore,
    calls,
  });
  if (outcome.kind !== 'NotWritten') stopwatch.lap('write');
  return { kind: 'Decided', spec, sample, set, decision, outcome };
}

/** What every outside call of this sync gets: its deadline, its name, and the Secrets that the object may name. */
export function callContext({ reference }: RebalanceObject, { deps, deadline }: HookContext): CallContext {
  const allowCrossNamespace = deps.settings.rebalance.allowCrossNamespaceSecrets;
  const { namespace, name } = reference;
  const secrets = createSecretReader(deps.kubernetes, { namespace, allowCrossNamespace });
  return { secrets, caller: `counterpoise-${namespace}-${name}`, deadline };
}

interface Writer {
  readonly target: Route53Target;
  readonly store: TargetStore;
  readonly calls: CallContext;
}

/** The only writes of the service to DNS. */
async function apply(effect: Effect, reading: SetReading, writer: Writer): Promise<Outcome> {
  switch (effect.kind) {
    case 'None':
      return { kind: 'NotWritten', because: effect.because };
    case 'WriteWeight': {
      const { target, store, calls } = writer;
      const { weight, records } = effect;
      const change = await store.writeWeights(target, reading, records, calls);
      if (!change.ok) return { kind: 'Refused', failure: change.error };
      const accepted = { kind: 'Accepted', weight, records, change: change.value } as const;
      return weight === 0 ? afterZero(accepted, writer) : accepted;
    }
    default:
      return unreachable(effect);
  }
}

/** After a write of 0 the set is read once more: another record may have gone to 0 since it was read. */
async function afterZero(
  accepted: Extract<Outcome, { kind: 'Accepted' }>,
  { target, store, calls }: Writer,
): Promise<Outcome> {
  const again = await store.readSet(target, calls);
  if (!again.ok) return { ...accepted, recheckFailure: again.error };
  const weight = rescueFromAllZero(again.value.set);
  if (weight === undefined) return accepted;
  const records = changedWeights(splitWeight(weight, target.records), again.value.set.own);
  const change = await store.writeWeights(target, again.value, records, calls);
  if (!change.ok) return { ...accepted, recheckFailure: change.error };
  return { kind: 'Accepted', weight, records: withChanges(accepted.records, records), change: change.value };
}
