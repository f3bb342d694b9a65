import { parseBalancerSpec } from '../../src/api/balancer.ts';
import { type Decision, decideBalancer } from '../../src/balancer/decide.ts';
import type { LookUp } from '../../src/balancer/missing.ts';
import { type Observation, observeBalancer } from '../../src/balancer/observe.ts';
import { NO_OUTCOMES } from '../../src/balancer/outcomes.ts';
import { type BalancerResponse, renderBalancer } from '../../src/balancer/render.ts';
import type { BalancerSettings } from '../../src/balancer/settings.ts';
import type { Condition } from '../../src/kubernetes/conditions.ts';
import { LAST_APPLIED_ANNOTATION } from '../../src/kubernetes/hold.ts';
import { childKindKey, parseSyncRequest, type SyncRequest } from '../../src/kubernetes/metacontroller.ts';
import type { DesiredObject, ObjectReference } from '../../src/kubernetes/objects.ts';
import { testSettings } from './deps.ts';

export const NOW_MS = Date.parse('2026-11-30T15:00:00Z');
export const UID = '80681c0f-c524-45c8-9bc5-6b10bf0f1847';
/** What the UID becomes: the SHA-256 of it as a number, modulo 36 to the power of 10, in base 36. */
export const GENERATED_ID = 'ffp5vzryjb';

export const ALL_KINDS = ['Certificate.cert-manager.io/v1', 'Deployment.apps/v1', 'Service.v1'] as const;

/** The least that is a valid spec. */
export const SMALLEST_SPEC = {
  balancerdImageRef: 'materialize/balancerd:v26.44.0',
  staticRouting: { environmentdNamespace: 'materialize', environmentdServiceName: 'environmentd' },
} as const;

/** Two children, by what they are found by. */
export const DEPLOYMENT: ObjectReference = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace: 'prod',
  name: 'web',
};
export const SERVICE: ObjectReference = { apiVersion: 'v1', kind: 'Service', namespace: 'prod', name: 'web' };

export const ISSUER = { issuerRef: { name: 'dns01' } } as const;

/** One Balancer as Metacontroller would post it; what is not said is the smallest one without children. */
export interface BalancerCase {
  readonly parent?: Readonly<Record<string, unknown>>;
  readonly spec?: unknown;
  readonly status?: unknown;
  readonly children?: readonly unknown[];
  readonly managedKinds?: readonly string[];
  readonly settings?: BalancerSettings;
  readonly nowMs?: number;
}

export function balancerSettings(...argv: readonly string[]): BalancerSettings {
  return testSettings(...argv).balancer;
}

/** The body of the POST. A child needs apiVersion, kind and metadata.name. */
function balancerBody(given: BalancerCase): unknown {
  const managed = given.managedKinds ?? ALL_KINDS;
  const children: Record<string, Record<string, unknown>> = Object.fromEntries(
    managed.map((kind) => [kind, {}]),
  );
  for (const child of (given.children ?? []) as readonly DesiredObject[]) {
    const kind = childKindKey(child.apiVersion, child.kind);
    children[kind] = { ...children[kind], [child.metadata.name]: child };
  }
  return {
    controller: {},
    parent: {
      apiVersion: 'materialize.cloud/v1alpha1',
      kind: 'Balancer',
      metadata: { name: 'acme', namespace: 'prod', uid: UID, generation: 1, ...given.parent },
      spec: 'spec' in given ? given.spec : SMALLEST_SPEC,
      ...('status' in given ? { status: given.status } : {}),
    },
    children,
    related: {},
    finalizing: false,
  };
}

/** The request as the hook gets it: through JSON, as everything that is posted. */
export function balancerRequest(given: BalancerCase): SyncRequest {
  const parsed = parseSyncRequest(JSON.parse(JSON.stringify(balancerBody(given))));
  if (!parsed.ok) throw new Error(`${parsed.error.path}: ${parsed.error.expected}`);
  return parsed.value;
}

export function observe(given: BalancerCase): Observation {
  const request = balancerRequest(given);
  const spec = parseBalancerSpec(request.parent.spec);
  return observeBalancer(request, spec, given.settings ?? balancerSettings(), given.nowMs ?? NOW_MS);
}

export function decide(given: BalancerCase): Decision {
  return decideBalancer(observe(given));
}

/** The whole pure way from a case to its answer. */
export function answer(given: BalancerCase, lookUps: readonly LookUp[] = []): BalancerResponse {
  const observation = observe(given);
  const inquiries = lookUps.map((lookUp) => ({ lookUp }));
  return renderBalancer(observation, decideBalancer(observation), { ...NO_OUTCOMES, inquiries });
}

/** A desired child as it is observed after Metacontroller has applied it; `more` is what the cluster added. */
export function applied(child: DesiredObject, more: Readonly<Record<string, unknown>> = {}): DesiredObject {
  const labels = { ...child.metadata.labels, 'controller-uid': UID };
  const asApplied = { ...child, metadata: { ...child.metadata, labels } };
  const annotations = {
    ...child.metadata.annotations,
    [LAST_APPLIED_ANNOTATION]: JSON.stringify(asApplied),
  };
  return { ...asApplied, ...more, metadata: { ...asApplied.metadata, annotations } };
}

export function ofKind<T extends { readonly kind: string }>(objects: readonly T[], kind: string): T {
  const found = objects.find((object) => object.kind === kind);
  if (found === undefined) throw new Error(`there is no ${kind}`);
  return found;
}

export function conditionOf(response: BalancerResponse, type: string): Condition | undefined {
  return response.status.conditions.find((condition) => condition.type === type);
}
