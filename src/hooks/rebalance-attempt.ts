import { unreachable } from '../foundation/exhaustive.ts';
import { decide, writeForbiddenBy } from '../rebalance/decide.ts';
import { ok, type Result } from '../foundation/result.ts';
import type { Attempt, Decision, Effect, Outcome } from '../rebalance/decision.ts';
import { rescueFromAllZero } from '../rebalance/limits.ts';
import { readSamples } from '../rebalance/metrics/read-samples.ts';
import type { CallContext } from '../rebalance/secrets.ts';
import { conflict, olderHolder, rivalsUnknown } from '../rebalance/rivals.ts';
import type { RebalanceSpec, Route53Target } from '../rebalance/spec.ts';
import { changedWeights, splitWeight, withWeights } from '../rebalance/split.ts';
import type {
  SetReading,
  TargetFailure,
  TargetFailureReason,
  TargetStore,
} from '../rebalance/targets/port.ts';
import type { HookContext } from './hook.ts';
import type { RebalanceObject } from './rebalance-object.ts';
import { rivalOf } from './rival-reader.ts';
import { createSecretReader } from './secret-reader.ts';
import type { Stopwatch } from './stopwatch.ts';

/**
 * One attempt, as far as the spec, and whoever else steers the record, let it come. The stopwatch learns how long what is
 * awaited takes.
 */
export async function attempt(
  object: RebalanceObject,
  context: HookContext,
  stopwatch: Stopwatch,
): Promise<Attempt> {
  const { parsed } = object;
  if (!parsed.ok) return { kind: 'InvalidSpec', problems: parsed.error };
  const { spec } = parsed.value;
  if (spec.suspend) return { kind: 'Suspended' };
  const withheld = await withheldBy(object, spec, context);
  stopwatch.lap('rivals');
  return withheld ?? steer(object, spec, context, stopwatch);
}

/** Observe, decide, apply. */
async function steer(
  object: RebalanceObject,
  spec: RebalanceSpec,
  context: HookContext,
  stopwatch: Stopwatch,
): Promise<Attempt> {
  const { deps, nowMs } = context;
  const { generation, status, intervalMs } = object;
  const writeForbidden = writeForbiddenBy(spec, deps.settings.rebalance.observeOnly);
  const calls = callContext(object, context);
  const samples = await readSamples(spec, deps.metricSource, calls);
  stopwatch.lap('metric');
  const seen = { spec, generation, status, ...samples, intervalMs, nowMs, writeForbidden };
  const decideOn = ({ set, lastSent = [] }: SetReading): Decision => decide({ ...seen, set, lastSent });
  const looked = await look(deps.targetStore, spec.target, calls, decideOn);
  stopwatch.lap('target');
  if (!looked.ok) return { kind: 'TargetUnread', spec, ...samples, failure: looked.error };

  const { reading, decision } = looked.value;
  const writer = { target: spec.target, store: deps.targetStore, calls };
  const outcome = await apply(decision.effect, reading, writer);
  if (outcome.kind !== 'NotWritten') stopwatch.lap('write');
  return { kind: 'Decided', spec, ...samples, set: reading.set, decision, outcome };
}

/** Why the record is not this object's to steer, if so. An object that will not write takes it from nobody. */
async function withheldBy(
  { metadata, reference }: RebalanceObject,
  spec: RebalanceSpec,
  { deps, nowMs, deadline }: HookContext,
): Promise<Attempt | undefined> {
  const { verifyParent, observeOnly } = deps.settings.rebalance;
  if (!verifyParent || writeForbiddenBy(spec, observeOnly) !== undefined) return undefined;
  const holders = await deps.rivals.read({ uid: reference.uid, nowMs, deadline });
  if (!holders.ok) return rivalsUnknown(holders.error.message);
  const older = olderHolder(rivalOf(metadata, spec.target), holders.value);
  return older === undefined ? undefined : conflict(older);
}

/**
 * The set, and what is decided on it: what another sync read a moment ago will do as long as nothing is to be written. A
 * change rests on a reading of this sync's own, which decides anew, and so does the word that a record is not there.
 */
async function look(
  store: TargetStore,
  target: Route53Target,
  calls: CallContext,
  decideOn: (reading: SetReading) => Decision,
): Promise<Result<{ readonly reading: SetReading; readonly decision: Decision }, TargetFailure>> {
  const shared = await store.readSet(target, calls);
  if (!shared.ok && !MAY_BE_NEWER.has(shared.error.reason)) return shared;
  if (shared.ok) {
    const decision = decideOn(shared.value);
    const isEnough = shared.value.isFresh || decision.effect.kind === 'None';
    if (isEnough) return ok({ reading: shared.value, decision });
  }
  const fresh = await store.readSet(target, calls, 'Fresh');
  return fresh.ok ? ok({ reading: fresh.value, decision: decideOn(fresh.value) }) : fresh;
}

/** What a list of a moment ago may say of a record that was made, or made a weighted one, since. */
const MAY_BE_NEWER: ReadonlySet<string> = new Set<TargetFailureReason>([
  'RecordNotFound',
  'RecordNotWeighted',
]);

/** What every outside call of this sync gets: its deadline, its name, and the Secrets that the object may name. */
export function callContext(
  { reference, wantedIntervalMs: intervalMs }: RebalanceObject,
  { deps, deadline }: HookContext,
): CallContext {
  const allowCrossNamespace = deps.settings.rebalance.allowCrossNamespaceSecrets;
  const { namespace, name } = reference;
  const secrets = createSecretReader(deps.kubernetes, { namespace, allowCrossNamespace });
  return { secrets, caller: `counterpoise-${namespace}-${name}`, deadline, intervalMs };
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
      const change = await store.writeWeights(target, reading, effect.records, calls);
      if (!change.ok) return { kind: 'Refused', failure: change.error };
      const { weight } = effect;
      const records = withWeights(reading.set.own.records, effect.records);
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
  const again = await store.readSet(target, calls, 'Fresh');
  if (!again.ok) return { ...accepted, recheckFailure: again.error };
  const { set } = again.value;
  const weight = rescueFromAllZero(set);
  if (weight === undefined) return accepted;
  const records = splitWeight(weight, target.records);
  const change = await store.writeWeights(target, again.value, changedWeights(records, set.own), calls);
  if (!change.ok) return { ...accepted, recheckFailure: change.error };
  return { kind: 'Accepted', weight, records, change: change.value };
}
