import { parseBalancerSpec } from '../api/balancer.ts';
import { decideBalancer, type Decision } from '../balancer/decide.ts';
import type { LookUp } from '../balancer/missing.ts';
import { observeBalancer } from '../balancer/observe.ts';
import { type BalancerResponse, renderBalancer } from '../balancer/render.ts';
import { withinDeadline } from '../foundation/deadline.ts';
import type { Hook, HookContext, HookLog } from './hook.ts';

/** Asking why a child is missing must not cost the sync its answer. */
const LOOK_UP_BUDGET_MS = 3_000;

/** A Balancer and its observed children in, its wanted children and status out; the API is asked for missing ones alone. */
export const syncBalancer: Hook = async (request, context) => {
  const spec = parseBalancerSpec(request.parent.spec);
  const observation = observeBalancer(request, spec, context.deps.settings.balancer, context.nowMs);
  const decision = decideBalancer(observation);
  const lookUps = await lookUpMissing(decision, context);
  const response = renderBalancer(observation, decision, lookUps);
  return { kind: 'Answered', response, log: explain(decision, response) };
};

async function lookUpMissing(
  decision: Decision,
  { deps: { kubernetes }, deadline }: HookContext,
): Promise<readonly LookUp[]> {
  if (kubernetes === undefined || decision.kind === 'Held' || !decision.lookUp) return [];
  const within = withinDeadline(deadline, LOOK_UP_BUDGET_MS);
  return Promise.all(decision.missing.map((reference) => kubernetes.get(reference, within)));
}

/** The log tells the first thing that is not as it should be, else how ready the Balancer is. */
function explain(decision: Decision, { status, children }: BalancerResponse): HookLog {
  const [ready, ...others] = status.conditions;
  const told = others.find((condition) => condition.status === 'False') ?? ready;
  return {
    reason: told.reason,
    because: told.message,
    facts: {
      decision: decision.kind,
      ready: ready.status === 'True',
      children: children.length,
      ...(status.resourceId === undefined ? {} : { resourceId: status.resourceId }),
    },
  };
}
