import assert from 'node:assert/strict';
import type { ObservedObject } from '../../../src/kubernetes/objects.ts';
import { customKind, kindOfCrd } from '../../support/api-server/crd.ts';
import { createApiServer, type ApiServer } from '../../support/api-server/server.ts';
import { startHookServer, type HookServer } from '../../support/metacontroller/hook-server.ts';
import { mustStart } from '../../support/metacontroller/follow.ts';
import { startMetacontroller, type Metacontroller } from '../../support/metacontroller/metacontroller.ts';
import { passTime } from '../../support/metacontroller/pass-time.ts';
import type { Store } from '../../support/metacontroller/store.ts';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.ts';

/** A parent kind with a little of everything that a structural schema says. */
export const WIDGETS = kindOfCrd({
  spec: {
    group: 'example.com',
    names: { kind: 'Widget', plural: 'widgets' },
    versions: [
      {
        name: 'v1',
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { type: 'integer', default: 1 },
                  color: { type: 'string' },
                  note: { type: 'string', nullable: true },
                  labels: { type: 'object', additionalProperties: { type: 'string' } },
                  steps: {
                    type: 'array',
                    items: { type: 'object', properties: { count: { type: 'integer', default: 3 } } },
                  },
                },
              },
              status: {
                type: 'object',
                properties: {
                  observedGeneration: { type: 'integer' },
                  phase: { type: 'string' },
                  seen: { type: 'integer' },
                },
              },
            },
          },
        },
      },
    ],
  },
});

const CERTIFICATES = customKind('cert-manager.io/v1', 'Certificate', 'certificates');

export const WIDGET = { apiVersion: 'example.com/v1', kind: 'Widget' };
export const DEPLOYMENT = { apiVersion: 'apps/v1', kind: 'Deployment' };
export const SERVICE = { apiVersion: 'v1', kind: 'Service' };

const CHILD_RULES = [
  { apiVersion: 'apps/v1', resource: 'deployments', updateStrategy: { method: 'InPlace' } },
  { apiVersion: 'v1', resource: 'services', updateStrategy: { method: 'InPlace' } },
  { apiVersion: 'cert-manager.io/v1', resource: 'certificates' },
];

export interface World {
  readonly clock: VirtualClock;
  readonly server: ApiServer;
  readonly kubectl: Store;
  readonly hook: HookServer;
  readonly metacontroller: Metacontroller;
  /** Moves the clock on by a time, running each sync when it is due. */
  pass(ms: number): Promise<void>;
  widget(name?: string): Promise<ObservedObject>;
  /** The messages of the SyncError events so far. */
  syncErrors(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

export interface WorldOptions {
  readonly controller?: Readonly<Record<string, unknown>>;
  readonly webhook?: Readonly<Record<string, unknown>>;
  readonly parentResource?: Readonly<Record<string, unknown>>;
  readonly workers?: number;
  /** What Metacontroller meets in the API server's place. */
  readonly store?: (server: Store) => Store;
  /** There before Metacontroller starts. */
  readonly objects?: readonly ObservedObject[];
}

/** A world with one controller for Widgets whose hook answers as the test says; nothing has been synced yet. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const clock = createVirtualClock();
  const server = createApiServer(clock, [WIDGETS, CERTIFICATES]);
  const kubectl = server.as('kubectl');
  const hook = await startHookServer();
  for (const object of options.objects ?? []) await kubectl.create(object);
  const controller = await kubectl.create({
    apiVersion: 'metacontroller.k8s.io/v1alpha1',
    kind: 'CompositeController',
    metadata: { name: 'widgets' },
    spec: {
      parentResource: { apiVersion: WIDGET.apiVersion, resource: 'widgets', ...options.parentResource },
      childResources: CHILD_RULES,
      generateSelector: true,
      hooks: {
        sync: { webhook: { url: hook.url, responseUnMarshallMode: 'strict', ...options.webhook } },
      },
      ...options.controller,
    },
  });
  assert.ok(controller.ok);
  const { workers, store = (server: Store): Store => server } = options;
  const metacontroller = await startMetacontroller({
    store: store(server.as('metacontroller')),
    clock,
    onController: mustStart,
    ...(workers === undefined ? {} : { workers }),
  });
  return {
    clock,
    server,
    kubectl,
    hook,
    metacontroller,
    pass: (ms) => passTime(clock, metacontroller, ms),
    widget: (name = 'one') => mustGet(kubectl, WIDGET, name),
    syncErrors: async () => {
      const events = await kubectl.list({ apiVersion: 'v1', kind: 'Event' });
      return events.filter((event) => event['reason'] === 'SyncError').map(({ message }) => String(message));
    },
    stop: async () => {
      await metacontroller.stop();
      await hook.stop();
    },
  };
}

export async function mustGet(
  store: Store,
  kind: { readonly apiVersion: string; readonly kind: string },
  name: string,
): Promise<ObservedObject> {
  const object = await store.get(kind, 'default', name);
  assert.ok(object.ok, `${kind.kind} ${name} is not there`);
  return object.value;
}

export function widget(name = 'one', spec: Readonly<Record<string, unknown>> = {}): ObservedObject {
  return { ...WIDGET, metadata: { name, namespace: 'default' }, spec };
}

export function deployment(
  name = 'one',
  spec: Readonly<Record<string, unknown>> = {},
): ObservedObject {
  return {
    ...DEPLOYMENT,
    metadata: { name, namespace: 'default' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'main', image: 'image:1' }] },
      },
      ...spec,
    },
  };
}

export function service(name = 'one', spec: Readonly<Record<string, unknown>> = {}): ObservedObject {
  return {
    ...SERVICE,
    metadata: { name, namespace: 'default' },
    spec: { clusterIP: 'None', selector: { app: name }, ports: [{ name: 'http', port: 80 }], ...spec },
  };
}
