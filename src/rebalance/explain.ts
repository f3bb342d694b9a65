import { displayRational, rational } from '../foundation/rational.ts';
import { listSome } from '../foundation/list-some.ts';
import type { Stage } from './decision.ts';
import type { Guarded } from './guards.ts';
import { othersAreZero, type LimitFacts } from './limits.ts';
import type { PolicyVerdict } from './policy.ts';
import type { DecisionReason } from './reasons/decisions.ts';
import type { Trail } from './stages.ts';
import type { Weight } from './weight.ts';

/** A decision's parts, to be told as one sentence. */
export interface Story {
  readonly policy: PolicyVerdict;
  readonly limits: LimitFacts;
  /** After fallback and bounds. */
  readonly bounded: Trail;
  /** After `behavior` too. */
  readonly behaved: Trail;
  /** After the guards too. */
  readonly guarded: Guarded;
  readonly limitedBy: readonly Stage[];
  readonly desired: Weight;
}

/** What had the last word, and the way there. */
export interface Explanation {
  readonly reason: DecisionReason;
  readonly because: string;
}

/** Why the weight wanted is what it is: the reason of what had the last word, and the whole way there in one sentence. */
export function explain(story: Story): Explanation {
  const reason = reasonOf(story);
  const clauses = [
    policyClause(story.policy),
    ...otherMetricsClauses(story.policy),
    ...limitClauses(story),
    ...slowClauses(story),
    ...guardClauses(story.guarded),
    ...setClauses(reason, story),
  ];
  return { reason, because: clauses.join('; ') };
}

function reasonOf(story: Story): DecisionReason {
  const { policy, limits, limitedBy, desired } = story;
  if (limitedBy.includes('set')) return 'KeptFromAllZero';
  if (desired === 0 && othersAreZero(limits.set)) return 'SetAllZero';
  if (story.guarded.stoppedBy.length > 0) return 'GuardStopped';
  const slowed = slowedBy(story);
  if (slowed !== undefined) return slowed;
  if (limitedBy.includes('bounds')) return boundReason(policy, limits);
  if (limits.fallback?.active === true) return 'FallbackActive';
  if (policy.kind === 'Held') return policy.reason;
  if (limitedBy.includes('hold')) return 'HeldFromFall';
  if (limitedBy.includes('scaleIn')) return 'ScaleInDisabled';
  return limitedBy.includes('tolerance') ? 'WithinTolerance' : 'Tracking';
}

type Tracked = Extract<PolicyVerdict, { kind: 'Tracked' }>;

type SlowReason = Extract<DecisionReason, 'Stabilised' | 'StepLimited'>;

/** The last stage of `behavior` that bound, if what it led to is not what was wanted before it all the same. */
function slowedBy({ bounded, behaved, limitedBy }: Story): SlowReason | undefined {
  if (behaved.wanted.equals(bounded.wanted)) return undefined;
  return limitedBy.includes('stepLimit') ? 'StepLimited' : 'Stabilised';
}

type BoundReason = Extract<DecisionReason, 'AtMinimum' | 'ScheduledFloor' | 'AtMaximum'>;

function boundReason(policy: PolicyVerdict, { onFailure, fallback, bounds }: LimitFacts): BoundReason {
  const replaced = fallback?.active === true && onFailure.kind === 'Weight';
  const before = replaced ? rational(onFailure.weight) : policy.trail.wanted;
  if (before.gt(bounds.highest)) return 'AtMaximum';
  return bounds.floor === 'Schedule' ? 'ScheduledFloor' : 'AtMinimum';
}

function policyClause(policy: PolicyVerdict): string {
  const { trail } = policy;
  if (policy.kind === 'Held') return `${policy.why}: ${staysClause(displayRational(trail.wanted))}`;
  const stays = staysClause(trail.stages.scaleIn);
  const measured = measuredClause(policy);
  const tolerance = displayRational(policy.tolerance);
  if (trail.limitedBy.includes('tolerance'))
    return `${measured} is within tolerance ${tolerance} of what the weight balances: ${stays}`;
  const { raw = '', round = '' } = trail.stages;
  const asked = raw === round ? raw : `${raw}, rounded to ${round}`;
  const law = `${measured} against target ${displayRational(policy.targetValue)} and base ${policy.base} asks for ${asked}`;
  return trail.limitedBy.includes('scaleIn') ? `${law}; disableScaleIn is set: ${stays}` : law;
}

/** What the law was run on: the metric itself, or the demand that it was a share of. */
function measuredClause({ name, metric, demand, seenShare }: Tracked): string {
  const measured = `metric ${name === undefined ? '' : `"${name}" `}${displayRational(metric)}`;
  if (seenShare === undefined) return measured;
  const share = displayRational(rational(Math.round(seenShare * 1000) / 10));
  return `demand ${displayRational(demand.round(0))} (${measured} at a share of ${share}%)`;
}

/** What is to be said where a spec has several metrics. */
function otherMetricsClauses(policy: PolicyVerdict): readonly string[] {
  if (policy.kind === 'Held') return [];
  const { asking, unusable, trail } = policy;
  const missing = unusable.map(
    ({ name, why }) =>
      `${name === undefined ? 'spec.metrics' : `metric "${name}"`} cannot be used, as ${why}`,
  );
  return [
    ...(asking > 1 ? [`no other of ${asking} metrics asks for more`] : []),
    ...(missing.length === 0 ? [] : [listSome(missing, '; ', 3)]),
    ...(trail.limitedBy.includes('hold')
      ? [`so the weight may not fall, and ${staysClause(trail.stages.hold)}`]
      : []),
  ];
}

function staysClause(weight = ''): string {
  return `the policy stays at ${weight}`;
}

const BOUND_WORDS = {
  AtMinimum: 'the minimum raises it to',
  ScheduledFloor: 'a scheduled floor raises it to',
  AtMaximum: 'the maximum lowers it to',
} as const satisfies Record<BoundReason, string>;

function limitClauses({ policy, limits, limitedBy }: Story): readonly string[] {
  const { onFailure, fallback, bounds } = limits;
  const clauses: string[] = [];
  if (fallback?.active === true && onFailure.kind === 'Weight')
    clauses.push(`the fallback weight ${onFailure.weight} stands in for it`);
  if (limitedBy.includes('bounds')) {
    const reason = boundReason(policy, limits);
    const bound = reason === 'AtMaximum' ? bounds.highest : bounds.lowest;
    clauses.push(`${BOUND_WORDS[reason]} ${bound}`);
  }
  return clauses;
}

function slowClauses(story: Story): readonly string[] {
  if (slowedBy(story) === undefined) return [];
  const { stages, wanted } = story.behaved;
  const clauses: string[] = [];
  if (story.limitedBy.includes('stabilise'))
    clauses.push(`its stabilization window lets it go to ${stages.stabilise}`);
  if (story.limitedBy.includes('stepLimit'))
    clauses.push(`its step limits let it go to ${displayRational(wanted)}`);
  return clauses;
}

function guardClauses({ stoppedBy, trail }: Guarded): readonly string[] {
  if (stoppedBy.length === 0) return [];
  const guards = listSome(stoppedBy.map(({ name, why }) => `guard "${name}" ${why}`));
  return [`${guards}: the weight goes no further than ${displayRational(trail.wanted)}`];
}

function setClauses(reason: DecisionReason, { limits }: Story): readonly string[] {
  const equalSplit = 'all zero means an equal split';
  if (reason === 'KeptFromAllZero')
    return [`every other record of the set has weight 0, so ${limits.set.own.total} is kept: ${equalSplit}`];
  return reason === 'SetAllZero' ? [`every record of the set has weight 0: ${equalSplit}`] : [];
}
