import { parseBalancerSpec } from '../api/balancer.ts';
import { BALANCER } from '../api/parent-kinds.ts';
import { decideBalancer, type Decision } from '../balancer/decide.ts';
import { eventsOf } from '../balancer/events.ts';
import { observeBalancer, type Observation } from '../balancer/observe.ts';
import { NO_OUTCOMES } from '../balancer/outcomes.ts';
import { type BalancerResponse, renderBalancer } from '../balancer/render.ts';
import { withinDeadline } from '../foundation/deadline.ts';
import type { ObservedParent, SyncRequest } from '../kubernetes/metacontroller.ts';
import type { ObjectReference } from '../kubernetes/objects.ts';
import { takeSteps } from './balancer-steps.ts';
import type { Hook, HookContext, HookLog } from './hook.ts';

/** What is asked and done at the API must not cost the sync its answer. */
const STEPS_BUDGET_MS = 3_000;

/**
 * A Balancer and its observed children in, its wanted children and status out. The API is asked for children that stay
 * missing, and takes the steps of a takeover and a migration; most syncs need none of it.
 */
export const syncBalancer: Hook = async (request, context) => {
  const { kubernetes } = context.deps;
  const observe = (asked: SyncRequest): Observation => observeBalancerAt(asked, context);
  const observation = observe(request);
  const decision = decideBalancer(observation);
  const reference = referenceOf(request.parent);
  const outcomes =
    kubernetes === undefined
      ? NO_OUTCOMES
      : await takeSteps(decision, {
          kubernetes,
          request,
          reference,
          decide: (asked) => decideBalancer(observe(asked)),
          deadline: withinDeadline(context.deadline, STEPS_BUDGET_MS),
        });
  const response = renderBalancer(observation, decision, outcomes);
  for (const event of eventsOf(observation.previous.conditions, response.status.conditions))
    kubernetes?.record({ regarding: reference, ...event });
  return { kind: 'Answered', response, log: explain(decision, response) };
};

function observeBalancerAt(request: SyncRequest, { deps, nowMs }: HookContext): Observation {
  const spec = parseBalancerSpec(request.parent.spec);
  return observeBalancer(request, spec, deps.settings.balancer, nowMs);
}

function referenceOf({ metadata }: ObservedParent): ObjectReference & { readonly uid: string } {
  const { namespace, name, uid } = metadata;
  return { ...BALANCER, namespace, name, uid };
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
