import type { Deadline } from '../foundation/deadline.ts';
import { err, ok, type Result } from '../foundation/result.ts';
import type { ApiFailure, KubernetesApi, Precondition } from './api.ts';
import { isRecord } from '../foundation/record.ts';
import { connect, type KubernetesConnection, type KubernetesRequest } from './connection.ts';
import type { Environment } from './exec-plugin.ts';
import type { KubernetesLocation } from './login.ts';
import { counted, type CountedRequest } from './counted.ts';
import type { ObjectReference, ObservedObject } from './objects.ts';
import { createRecorder, type RecorderOptions } from './recorder.ts';

export interface ClientOptions extends RecorderOptions {
  /** Told of every request, Events included, once it has ended. */
  readonly onRequest?: (request: CountedRequest) => void;
  /** That in which a kubeconfig's plugin runs. Default: an empty one. */
  readonly environment?: Environment;
}

/** The Kubernetes API over HTTP; the error says what is wrong with the kubeconfig. */
export function createKubernetesApi(
  location: KubernetesLocation,
  { onRequest, environment = {}, ...options }: ClientOptions,
): Result<KubernetesApi, string> {
  const connection = connect(location, environment);
  if (!connection.ok) return connection;
  const request = onRequest === undefined ? connection.value : counted(connection.value, onRequest);
  return ok({
    get: (reference, deadline) => getObject(request, reference, deadline),
    list: ({ apiVersion, kind }, deadline) => listObjects(request, { apiVersion, kind }, deadline),
    getSecret: async (namespace, name, deadline) => {
      const secret = await getObject(
        request,
        { apiVersion: 'v1', kind: 'Secret', namespace, name },
        deadline,
      );
      return secret.ok ? ok(decodeData(secret.value['data'])) : secret;
    },
    label: async (reference, { key, value }, precondition, deadline) => {
      const metadata = { ...precondition, labels: { [key]: value } };
      return written(await request({ verb: 'patch', ...objectAt(reference), body: { metadata }, deadline }));
    },
    deleteAlone: async (reference, precondition, deadline) => {
      const body = deleteOptions(precondition);
      return written(await request({ verb: 'delete', ...objectAt(reference), body, deadline }));
    },
    record: createRecorder(request, options),
  });
}

/** meta/v1 DeleteOptions: the garbage collector takes the owner references from the dependents, then the object goes. */
function deleteOptions(preconditions: Precondition): object {
  return { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Orphan', preconditions };
}

/** Of a write only whether it happened is of interest. */
function written(answer: Result<unknown, ApiFailure>): Result<undefined, ApiFailure> {
  return answer.ok ? ok(undefined) : answer;
}

const NOT_KUBERNETES: ApiFailure = {
  kind: 'Unavailable',
  message: 'the answer is not one of the Kubernetes API',
};

async function getObject(
  request: KubernetesConnection,
  reference: ObjectReference,
  deadline: Deadline,
): Promise<Result<ObservedObject, ApiFailure>> {
  const body = await request({ verb: 'get', ...objectAt(reference), deadline });
  if (!body.ok) return body;
  return isObject(body.value) ? ok(body.value) : err(NOT_KUBERNETES);
}

/** A page of objects with a long status each stays well below what the connection takes. */
const PAGE_SIZE = 200;
const MAX_PAGES = 50;

/** Without a resourceVersion the API server answers from etcd: nobody created before the call is missing. */
async function listObjects(
  request: KubernetesConnection,
  kind: Pick<ObjectReference, 'apiVersion' | 'kind'>,
  deadline: Deadline,
): Promise<Result<readonly ObservedObject[], ApiFailure>> {
  const { resource, path } = collectionAt(kind);
  const objects: ObservedObject[] = [];
  let next: string | undefined = '';
  for (let pages = 0; next !== undefined; pages += 1) {
    if (pages === MAX_PAGES) {
      const message = `there are more than ${MAX_PAGES * PAGE_SIZE} objects of kind ${kind.kind}`;
      return err({ kind: 'Unavailable', message });
    }
    const from = next === '' ? '' : `&continue=${encodeURIComponent(next)}`;
    const page = `${path}?limit=${PAGE_SIZE}${from}`;
    const body = await request({ verb: 'list', resource, path: page, deadline });
    if (!body.ok) return body;
    const read = readPage(body.value, kind);
    if (read === undefined) return err(NOT_KUBERNETES);
    objects.push(...read.objects);
    next = read.next;
  }
  return ok(objects);
}

/** The items of a page, each with the kind of the list; undefined where it is no list. */
function readPage(
  body: unknown,
  kind: Pick<ObjectReference, 'apiVersion' | 'kind'>,
): { readonly objects: readonly ObservedObject[]; readonly next: string | undefined } | undefined {
  if (!isRecord(body) || !Array.isArray(body['items']) || !isRecord(body['metadata'])) return undefined;
  const objects = body['items'].map((item: unknown): unknown =>
    isRecord(item) ? { ...item, ...kind } : item,
  );
  if (!objects.every(isObject)) return undefined;
  const next = body['metadata']['continue'];
  return { objects, next: typeof next === 'string' && next !== '' ? next : undefined };
}

type Location = Pick<KubernetesRequest, 'resource' | 'path'>;

function objectAt(reference: ObjectReference): Location {
  const { resource, path } = collectionAt(reference);
  return { resource, path: `${path}/${encodeURIComponent(reference.name)}` };
}

/**
 * Where a kind's objects are, in a namespace or in all of them. The plural is the kind in lower case with an s, which holds
 * for every kind that the hooks read; asking the API for it would cost a call.
 */
function collectionAt({
  apiVersion,
  kind,
  namespace,
}: Pick<ObjectReference, 'apiVersion' | 'kind'> & Partial<ObjectReference>): Location {
  const root = apiVersion.includes('/') ? '/apis' : '/api';
  const scope = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  const resource = `${kind.toLowerCase()}s`;
  return { resource, path: `${root}/${apiVersion}${scope}/${resource}` };
}

function isObject(value: unknown): value is ObservedObject {
  const { apiVersion, kind, metadata } = (value ?? {}) as Partial<Record<string, unknown>>;
  return (
    typeof apiVersion === 'string' &&
    typeof kind === 'string' &&
    typeof metadata === 'object' &&
    metadata !== null
  );
}

/** A Secret's `data`: base64 of UTF-8. */
function decodeData(data: unknown): ReadonlyMap<string, string> {
  const entries = Object.entries((data ?? {}) as Readonly<Record<string, unknown>>);
  return new Map(entries.map(([key, value]) => [key, Buffer.from(String(value), 'base64').toString('utf8')]));
}
