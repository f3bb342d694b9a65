import { isRecord } from '../../src/foundation/record.ts';
import { err, ok, type Result } from '../../src/foundation/result.ts';
import { LAST_APPLIED_ANNOTATION } from '../../src/kubernetes/hold.ts';
import type { ApiFailure, KubernetesApi, KubernetesEvent, Precondition } from '../../src/kubernetes/api.ts';
import type { SyncResponse } from '../../src/kubernetes/metacontroller.ts';
import type { DesiredObject, ObservedObject } from '../../src/kubernetes/objects.ts';
import { applied, type BalancerCase, NOW_MS, ofKind, UID } from './balancer.ts';

/** What Metacontroller has in its cache at one time. */
export type Snapshot = readonly ObservedObject[];

/**
 * One Balancer's Deployment with the rules by which Metacontroller, the Deployment controller and the garbage collector
 * treat it, each step of theirs at a test's command, so that any may come late, twice or never.
 */
export interface TakenCluster {
  readonly api: KubernetesApi;
  readonly events: KubernetesEvent[];
  /** What was written at the API by the hook: "label Deployment", "delete Deployment". */
  readonly writes: string[];
  /** Templates that pods were made from: one more for every time that all pods were replaced. */
  readonly templates: () => number;
  readonly deployment: () => ObservedObject | undefined;
  /** Every API write fails like this from now on. */
  readonly fail: (failure: ApiFailure | undefined) => void;
  /** What a sync is posted now: Metacontroller adopts first, and lists what it controls. */
  readonly snapshot: () => Snapshot;
  /** Metacontroller acts on an answer to what it had posted. */
  readonly act: (answer: SyncResponse, posted: Snapshot) => void;
  /** The newest template has arrived at every pod. */
  readonly rollOut: () => void;
  /** What is being deleted is gone. */
  readonly collect: () => void;
  /** The Balancer as it would be posted. */
  readonly given: (status: unknown, children: Snapshot) => BalancerCase;
}

export interface Beginning {
  readonly spec: unknown;
  /** What the Balancer's children would be if they were made now. */
  readonly wanted: readonly DesiredObject[];
  readonly selector: Readonly<Record<string, string>>;
  readonly templateLabels: Readonly<Record<string, string>>;
}

/** A Balancer whose Deployment an orchestratord made; the rest of its children are ours already. */
export function takenCluster({ spec, wanted, selector, templateLabels }: Beginning): TakenCluster {
  const owner = { apiVersion: 'materialize.cloud/v1alpha1', kind: 'Balancer', name: 'acme', uid: UID };
  const ours = ofKind(wanted, 'Deployment');
  const others = wanted.filter(({ kind }) => kind !== 'Deployment').map((child) => applied(child));
  const template = {
    ...templateOf(ours),
    metadata: { ...recordOf(templateOf(ours)['metadata']), labels: templateLabels },
  };
  const templates = new Set([JSON.stringify(template)]);
  const events: KubernetesEvent[] = [];
  const writes: string[] = [];
  let failure: ApiFailure | undefined;
  let version = 1;
  let live: ObservedObject | undefined = complete({
    ...ours,
    metadata: { ...ours.metadata, uid: 'd-1', resourceVersion: '1', generation: 1, ownerReferences: [owner] },
    spec: { ...recordOf(ours['spec']), selector: { matchLabels: selector }, template },
  });

  const change = (changed: ObservedObject): void => {
    version += 1;
    live = { ...changed, metadata: { ...changed.metadata, resourceVersion: String(version) } };
  };
  /** The live object, where it is the one that a write was meant for. */
  const meant = ({ uid, resourceVersion }: Precondition): Result<ObservedObject, ApiFailure> => {
    if (failure !== undefined) return err(failure);
    if (live === undefined) return err({ kind: 'NotFound', message: 'not found' });
    const isSame = live.metadata.uid === uid && live.metadata.resourceVersion === resourceVersion;
    return isSame ? ok(live) : err({ kind: 'Conflict', message: 'the object has been modified' });
  };

  const api: KubernetesApi = {
    get: ({ kind }) => {
      if (kind === 'Balancer')
        return Promise.resolve(
          ok({
            apiVersion: owner.apiVersion,
            kind,
            metadata: { name: 'acme', namespace: 'prod', uid: UID, generation: 1 },
            spec,
          }),
        );
      return Promise.resolve(live === undefined ? err({ kind: 'NotFound', message: 'not found' }) : ok(live));
    },
    list: () => Promise.reject(new Error('a Balancer lists nothing')),
    getSecret: () => Promise.reject(new Error('a Balancer reads no Secret')),
    label: ({ kind }, { key, value }, precondition) => {
      const found = meant(precondition);
      if (!found.ok) return Promise.resolve(found);
      writes.push(`label ${kind}`);
      const { metadata } = found.value;
      change({ ...found.value, metadata: { ...metadata, labels: { ...metadata.labels, [key]: value } } });
      return Promise.resolve(ok(undefined));
    },
    deleteAlone: ({ kind }, precondition) => {
      const found = meant(precondition);
      if (!found.ok) return Promise.resolve(found);
      writes.push(`delete ${kind}`);
      const { metadata } = found.value;
      change({ ...found.value, metadata: { ...metadata, deletionTimestamp: '2026-11-30T15:00:00Z' } });
      return Promise.resolve(ok(undefined));
    },
    record: (event) => void events.push(event),
  };

  const create = (wanted: DesiredObject): void => {
    templates.add(JSON.stringify(templateOf(wanted)));
    const asApplied = applied(wanted);
    version += 1;
    live = complete({
      ...asApplied,
      metadata: {
        ...asApplied.metadata,
        uid: `d-${version}`,
        resourceVersion: String(version),
        generation: 1,
        ownerReferences: [{ ...owner, controller: true }],
      },
    });
  };
  const update = (observed: ObservedObject, wanted: DesiredObject): void => {
    const { metadata, spec } = applied(wanted);
    const { generation = 0 } = observed.metadata;
    const merged = { ...recordOf(observed['spec']), ...recordOf(spec) };
    const before = [
      observed.metadata.annotations?.[LAST_APPLIED_ANNOTATION],
      JSON.stringify(observed['spec']),
    ];
    if (
      JSON.stringify(before) ===
      JSON.stringify([metadata.annotations?.[LAST_APPLIED_ANNOTATION], JSON.stringify(merged)])
    )
      return;
    templates.add(JSON.stringify(merged['template']));
    const labels = { ...observed.metadata.labels, ...metadata.labels };
    const annotations = { ...observed.metadata.annotations, ...metadata.annotations };
    change({
      ...observed,
      metadata: { ...observed.metadata, labels, annotations, generation: generation + 1 },
      spec: merged,
    });
  };

  return {
    api,
    events,
    writes,
    templates: () => templates.size,
    deployment: () => live,
    fail: (next) => (failure = next),
    snapshot: () => {
      const isClaimed = live?.metadata.labels?.['controller-uid'] === UID;
      if (live !== undefined && isClaimed && live.metadata.ownerReferences?.[0]?.controller !== true)
        change({
          ...live,
          metadata: { ...live.metadata, ownerReferences: [{ ...owner, controller: true }] },
        });
      return live === undefined || !isClaimed ? others : [...others, live];
    },
    act: ({ children }, posted) => {
      const wanted = ofKind(children, 'Deployment');
      const observed = posted.find(({ kind }) => kind === 'Deployment');
      if (observed === undefined && live === undefined) create(wanted);
      if (observed === undefined || observed.metadata.deletionTimestamp !== undefined) return;
      if (observed.metadata.resourceVersion === live?.metadata.resourceVersion) update(observed, wanted);
    },
    rollOut: () => {
      if (live !== undefined && live.metadata.deletionTimestamp === undefined) change(complete(live));
    },
    collect: () => {
      if (live?.metadata.deletionTimestamp !== undefined) live = undefined;
    },
    given: (status, children) => ({ spec, status, children, nowMs: NOW_MS }),
  };
}

function complete(deployment: ObservedObject): ObservedObject {
  const { replicas } = recordOf(deployment['spec']);
  const status = {
    observedGeneration: deployment.metadata.generation,
    replicas,
    updatedReplicas: replicas,
    availableReplicas: replicas,
    conditions: [{ type: 'Available', status: 'True' }],
  };
  return { ...deployment, status };
}

function templateOf({ spec }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return recordOf(recordOf(spec)['template']);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
