import { z } from 'zod';
import { err, ok, type Result } from '../foundation/result.ts';
import { LABEL_VALUE_MAX_LENGTH, LABEL_VALUE_PATTERN } from './labels.ts';
import {
  DNS_LABEL_MAX_LENGTH,
  DNS_LABEL_PATTERN,
  DNS_SUBDOMAIN_MAX_LENGTH,
  DNS_SUBDOMAIN_PATTERN,
} from './names.ts';
import type { DesiredObject, ObservedObject } from './objects.ts';

/**
 * The wire format of a CompositeController's sync hook (v1, and v2's keys), as read in and measured against
 * Metacontroller v4.17.2: https://metacontroller.github.io/metacontroller/api/compositecontroller.html#sync-hook.
 * Metacontroller always sends all five fields; a person with curl does not, so only what cannot be done without is
 * demanded. Metadata is read, not the inner keys, so both hook versions are understood.
 */

const stringMap = z.record(z.string(), z.string()).nullish().transform(dropNull);

const ownerReferences = z
  .array(
    z.object({
      apiVersion: z.string(),
      kind: z.string(),
      name: z.string(),
      uid: z.string(),
      controller: z.boolean().nullish().transform(dropNull),
      blockOwnerDeletion: z.boolean().nullish().transform(dropNull),
    }),
  )
  .nullish()
  .transform(dropNull);

const optionalString = z.string().nullish().transform(dropNull);

const childMetadata = z.looseObject({
  name: z.string().min(1),
  namespace: optionalString,
  uid: optionalString,
  resourceVersion: optionalString,
  generation: z.int().nullish().transform(dropNull),
  creationTimestamp: optionalString,
  deletionTimestamp: optionalString,
  labels: stringMap,
  annotations: stringMap,
  ownerReferences,
});

/**
 * The parent's identity goes into logs, metrics, paths of the API and commands that a person is told to run, so it is taken
 * in the shape that the API server gives it and in no other. The uid becomes the label controller-uid of every child.
 */
const parentMetadata = childMetadata.extend({
  name: z.string().max(DNS_SUBDOMAIN_MAX_LENGTH).regex(new RegExp(DNS_SUBDOMAIN_PATTERN)),
  namespace: z.string().max(DNS_LABEL_MAX_LENGTH).regex(new RegExp(DNS_LABEL_PATTERN)),
  uid: z.string().min(1).max(LABEL_VALUE_MAX_LENGTH).regex(new RegExp(LABEL_VALUE_PATTERN)),
  generation: z
    .int()
    .nullish()
    .transform((generation) => generation ?? 0),
});

const observedObject = z.looseObject({
  apiVersion: z.string().min(1),
  kind: z.string().min(1),
  metadata: childMetadata,
});

const parentObject = z.looseObject({ metadata: parentMetadata });

const syncRequest = z.object({
  parent: parentObject,
  children: z
    .record(z.string(), z.record(z.string(), observedObject))
    .nullish()
    .transform((children) => children ?? {}),
  finalizing: z
    .boolean()
    .nullish()
    .transform((finalizing) => finalizing ?? false),
});

function dropNull<T>(value: T | null | undefined): T | undefined {
  return value ?? undefined;
}

/** The parent as posted: `spec` and `status` are whatever came, read later by the parent's own schema. */
export interface ObservedParent {
  readonly metadata: ObservedObject['metadata'] & {
    readonly namespace: string;
    readonly uid: string;
    /** 0 where the body has none (curl). */
    readonly generation: number;
  };
  readonly spec?: unknown;
  readonly status?: unknown;
}

/** What a sync hook works on. */
export interface SyncRequest {
  readonly parent: ObservedParent;
  /** Every observed child, of whatever kind and name. */
  readonly children: readonly ObservedObject[];
  /** Keys of `children` as sent (`Deployment.apps/v1`): a missing one means that the controller does not manage it. */
  readonly managedKinds: ReadonlySet<string>;
  readonly finalizing: boolean;
}

/** The answer of a sync hook. `children` is always an array: an omitted one deletes every owned child. */
export interface SyncResponse {
  readonly status: Readonly<Record<string, unknown>>;
  readonly children: readonly DesiredObject[];
  /** Integer seconds above 0 until one more sync; absent = only events and the controller's resync period. */
  readonly resyncAfterSeconds?: number;
}

/** Key of a kind under `children`; core kinds drop the group: `Service.v1`, `Deployment.apps/v1`. */
export function childKindKey(apiVersion: string, kind: string): string {
  return `${kind}.${apiVersion}`;
}

/** Which field of the envelope is wrong, and what was expected there. */
export interface EnvelopeError {
  readonly path: string;
  readonly expected: string;
}

/** Reads a sync request, or says which field of the envelope is wrong. */
export function parseSyncRequest(body: unknown): Result<SyncRequest, EnvelopeError> {
  const parsed = syncRequest.safeParse(body);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const path = issue === undefined || issue.path.length === 0 ? 'body' : issue.path.join('.');
    return err({ path, expected: issue?.message ?? 'a sync request' });
  }
  const { parent, children, finalizing } = parsed.data;
  return ok({
    parent,
    children: Object.values(children).flatMap((byName) => Object.values(byName)),
    managedKinds: new Set(Object.keys(children)),
    finalizing,
  });
}
