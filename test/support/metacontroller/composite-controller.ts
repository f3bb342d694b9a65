import { z } from 'zod';
import { parseGoDuration } from '../../../src/foundation/duration.ts';
import { err, ok, type Result } from '../../../src/foundation/result.ts';
import type { ObservedObject } from '../../../src/kubernetes/objects.ts';
import { listAt, recordAt } from '../json.ts';

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_SERVICE_PORT = 80;

const secretRef = z.strictObject({ name: z.string(), namespace: z.string() });
const caRef = secretRef.extend({ key: z.string().default('ca.crt') });

/** How the hook is told who calls, and how the caller knows the hook: the fields of a webhook beside its address. */
const webhookConnection = {
  authorization: z
    .strictObject({ type: z.string().default('Bearer'), secretRef: secretRef.extend({ key: z.string() }) })
    .optional(),
  basicAuth: z
    .strictObject({
      secretRef,
      usernameKey: z.string().default('username'),
      passwordKey: z.string().default('password'),
    })
    .optional(),
  clientTLS: z
    .strictObject({
      secretRef,
      certKey: z.string().default('tls.crt'),
      privateKeyKey: z.string().default('tls.key'),
    })
    .optional(),
  caBundle: z
    .strictObject({ inline: z.string(), secretRef: caRef, configMapRef: caRef })
    .partial()
    .optional(),
};

/** The part of a CompositeController that the double plays; it refuses what it would play wrongly. */
const compositeController = z.looseObject({
  apiVersion: z.literal('metacontroller.k8s.io/v1alpha1'),
  kind: z.literal('CompositeController'),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.strictObject({
    parentResource: z.strictObject({
      apiVersion: z.string(),
      resource: z.string(),
      ignoreStatusChanges: z.boolean().default(false),
      labelSelector: z.strictObject({ matchLabels: z.record(z.string(), z.string()) }).optional(),
    }),
    childResources: z
      .array(
        z.strictObject({
          apiVersion: z.string(),
          resource: z.string(),
          updateStrategy: z
            .strictObject({
              method: z.enum(['OnDelete', 'InPlace']).optional(),
              statusChecks: z.unknown().optional(),
            })
            .optional(),
        }),
      )
      .default([]),
    hooks: z.strictObject({
      sync: z.strictObject({
        version: z.literal('v1').default('v1'),
        webhook: z.strictObject({
          url: z.string().optional(),
          service: z
            .strictObject({
              name: z.string(),
              namespace: z.string(),
              port: z.int().default(DEFAULT_SERVICE_PORT),
              protocol: z.string().default('http'),
            })
            .optional(),
          path: z.string().optional(),
          timeout: z.string().optional(),
          ...webhookConnection,
          responseUnMarshallMode: z.enum(['strict', 'loose']).default('loose'),
        }),
      }),
    }),
    generateSelector: z.literal(true),
    resyncPeriodSeconds: z.int().optional(),
  }),
});

export type ControllerSpec = z.infer<typeof compositeController>['spec'];
export type WebhookSpec = ControllerSpec['hooks']['sync']['webhook'];

/** Reads a CompositeController, or says which field is wrong or beyond the double. */
export function parseController(raw: unknown): Result<ControllerSpec, string> {
  const parsed = compositeController.safeParse(raw);
  if (parsed.success) return ok(parsed.data.spec);
  const issue = parsed.error.issues[0];
  return err(`CompositeController ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'unreadable'}`);
}

/** [label-selector] A parent without these labels is none of the controller's business. */
export function selectsParent({ parentResource }: ControllerSpec, { metadata }: ObservedObject): boolean {
  const wanted = Object.entries(parentResource.labelSelector?.matchLabels ?? {});
  return wanted.every(([key, value]) => metadata.labels?.[key] === value);
}

/** Where the hook listens: `url`, else what cluster DNS makes of `service` and `path`. */
export function hookUrl(spec: ControllerSpec): string {
  const { url, service, path } = spec.hooks.sync.webhook;
  if (url !== undefined) return url;
  if (service === undefined || path === undefined) throw new Error('a webhook has a url, or a service and a path');
  return `${service.protocol}://${service.name}.${service.namespace}:${service.port}${path}`;
}

/** [timeout] The time for the whole exchange: 10 s unless a positive one is set. */
export function hookTimeoutMs(spec: ControllerSpec): number {
  const parsed = parseGoDuration(spec.hooks.sync.webhook.timeout ?? '0');
  return parsed.ok && parsed.value > 0 ? parsed.value : DEFAULT_TIMEOUT_MS;
}

/** The controller as it stands in a body: what the API server defaults, and the empty structs that Go writes. */
export function controllerInBody(controller: ObservedObject, spec: ControllerSpec): ObservedObject {
  const sent = recordAt(controller, 'spec');
  const childResources = listAt(sent, 'childResources').map((rule) => {
    const updateStrategy = recordAt(rule, 'updateStrategy');
    return 'method' in updateStrategy
      ? { ...recordAt(rule), updateStrategy: { statusChecks: {}, ...updateStrategy } }
      : rule;
  });
  return {
    ...controller,
    spec: {
      ...sent,
      ...('childResources' in sent ? { childResources } : {}),
      hooks: { sync: { ...recordAt(sent, 'hooks', 'sync'), version: spec.hooks.sync.version } },
    },
    status: {},
  };
}
