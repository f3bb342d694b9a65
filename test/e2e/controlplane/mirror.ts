import { setTimeout as pause } from 'node:timers/promises';
import type { ObservedObject } from '../../../src/kubernetes/objects.ts';
import type { Change } from '../../support/metacontroller/store.ts';
import type { ApiClient } from './api-client.ts';

const WATCH_SECONDS = 300;
/** Between two tries when the API server does not answer. */
const RETRY_MS = 200;

/** The objects of one kind as last seen, kept up by a watch: what client-go calls an informer. */
export interface Mirror {
  /** After the first list was seen. */
  objects(): Promise<readonly ObservedObject[]>;
  stop(): void;
}

interface List {
  readonly metadata: { readonly resourceVersion: string };
  /** Without apiVersion and kind where the kind is built in. */
  readonly items: readonly ObservedObject[];
}

interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: ObservedObject;
}

export interface MirrorListeners {
  readonly onChange: (change: Change) => void;
  /** Why nothing is seen just now; told once for as long as the reason stays. */
  readonly onTrouble: (reason: string) => void;
}

/**
 * Lists and watches the collection at `path`, for ever: a watch that ends goes on where it was, and where that is too
 * long ago or the API server was away, everything is listed anew and `onChange` is told the difference.
 */
export function startMirror(
  client: ApiClient,
  { path, apiVersion, kind }: { readonly path: string; readonly apiVersion: string; readonly kind: string },
  { onChange, onTrouble }: MirrorListeners,
): Mirror {
  const objects = new Map<string, ObservedObject>();
  const stopping = new AbortController();
  const { signal } = stopping;

  function put(object: ObservedObject): void {
    const key = keyOf(object);
    const previous = objects.get(key);
    if (previous?.metadata.resourceVersion === object.metadata.resourceVersion) return;
    objects.set(key, object);
    onChange(previous === undefined ? { type: 'ADDED', object } : { type: 'MODIFIED', object, previous });
  }

  function drop(object: ObservedObject): void {
    if (objects.delete(keyOf(object))) onChange({ type: 'DELETED', object });
  }

  async function list(): Promise<string> {
    const { status, text } = await client.call({ path });
    if (status !== 200) throw new Error(`listing ${path}: ${status} ${text}`);
    const { metadata, items } = JSON.parse(text) as List;
    const listed = new Set(items.map(keyOf));
    for (const [key, object] of [...objects]) if (!listed.has(key)) drop(object);
    for (const item of items) put({ ...item, apiVersion, kind });
    return metadata.resourceVersion;
  }

  /** Gives the resourceVersion to go on from; throws when the watch has lost its place. */
  async function watch(from: string): Promise<string> {
    let at = from;
    let lost: string | undefined;
    const query = `watch=true&allowWatchBookmarks=true&timeoutSeconds=${WATCH_SECONDS}&resourceVersion=${from}`;
    await client.stream(`${path}?${query}`, signal, (line) => {
      const { type, object } = JSON.parse(line) as WatchEvent;
      if (type === 'ERROR') {
        lost = line;
        return;
      }
      at = object.metadata.resourceVersion ?? at;
      if (type === 'DELETED') drop(object);
      else if (type !== 'BOOKMARK') put(object);
    });
    if (lost !== undefined) throw new Error(lost);
    return at;
  }

  async function follow(onListed: () => void): Promise<void> {
    let trouble: string | undefined;
    while (!signal.aborted) {
      try {
        let at = await list();
        trouble = undefined;
        onListed();
        for (;;) at = await watch(at); // a stopped one throws
      } catch (error) {
        if (stopping.signal.aborted) return;
        // The API server is away, or has forgotten where we were: list anew.
        const reason = error instanceof Error ? error.message : String(error);
        if (reason !== trouble) onTrouble(reason);
        trouble = reason;
        await pause(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  const listed = new Promise<void>((resolve) => void follow(resolve));
  return {
    objects: async () => {
      await listed;
      return [...objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
    },
    stop: () => stopping.abort(),
  };
}

function keyOf({ metadata }: ObservedObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
