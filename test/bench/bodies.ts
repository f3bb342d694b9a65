import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the bench posts: the parts of a sync request that it changes, and whatever else came with them. */
export interface SyncBody {
  readonly parent: JsonRecord & { readonly status?: unknown };
  readonly children: Readonly<Record<string, Readonly<Record<string, JsonRecord>>>>;
  readonly [key: string]: unknown;
}

type JsonRecord = Readonly<Record<string, unknown>>;

const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'recorded');

/**
 * A settled Balancer with its three children as a real Metacontroller posted it, without managedFields and what kubectl
 * notes: 13 kB. The smaller a body, the less of a sync is JSON.parse, and the harder it is to keep up with a bare server.
 */
export function smallBalancer(): SyncBody {
  return withManagedFields([]);
}

/** The same with managedFields that make it a megabyte: objects that many writers have touched. */
export function largeBalancer(): SyncBody {
  const writers = Array.from({ length: 106 }, (_, index) => ({
    manager: `writer-${index}`,
    operation: 'Update',
    apiVersion: 'v1',
    time: '2026-11-30T15:42:06Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:metadata': { 'f:annotations': annotationsOf(index) } },
  }));
  return withManagedFields(writers);
}

function annotationsOf(writer: number): JsonRecord {
  return Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`f:writer-${writer}.example.com/annotation-${index}`, {}]),
  );
}

function withManagedFields(managedFields: readonly JsonRecord[]): SyncBody {
  const recorded = readFileSync(join(FIXTURES, '05-balancer-ready.json'), 'utf8');
  const { request } = JSON.parse(recorded) as { readonly request: { readonly body: unknown } };
  const replaced = JSON.stringify(request.body, (key, value: unknown) => {
    if (key === 'kubectl.kubernetes.io/last-applied-configuration') return undefined;
    return key === 'managedFields' ? managedFields : value;
  });
  return JSON.parse(replaced) as SyncBody;
}

/** README's example, 3000 over 1000 with base 8; without a status each sync of it is an evaluation. */
export function rebalance(prometheusUrl: string): SyncBody {
  return {
    controller: {},
    parent: {
      apiVersion: 'rebalancer.ch1aki.github.io/v1',
      kind: 'Rebalance',
      metadata: { name: 'bench', namespace: 'default', uid: 'uid-of-bench', generation: 1 },
      spec: {
        interval: '24h',
        policy: { targettracking: { targetValue: 1000, baseValue: 8 } },
        target: {
          route53: {
            hostedZoneID: 'ZBENCH',
            resource: { name: 'example.com', type: 'A', identifier: 'aws' },
          },
        },
        metrics: { prometheus: { address: prometheusUrl, query: 'load' } },
      },
    },
    children: {},
    related: {},
    finalizing: false,
  };
}

export interface Answer {
  readonly text: string;
  readonly status: unknown;
}

/** Posts a body; anything but a 200 throws. */
export async function post(url: string, body: SyncBody): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`POST ${url}: HTTP ${response.status}: ${text}`);
  return { text, status: (JSON.parse(text) as { readonly status: unknown }).status };
}

/** The body with the status that the hook answers to it, which it answers again: nothing is left to do. */
export async function settled(url: string, body: SyncBody): Promise<SyncBody> {
  const MOST_SYNCS = 5;
  let current = body;
  for (let sync = 0; sync < MOST_SYNCS; sync += 1) {
    const { status } = await post(url, current);
    if (JSON.stringify(status) === JSON.stringify(current.parent.status)) return current;
    current = { ...current, parent: { ...current.parent, status } };
  }
  throw new Error(`${url} still answers another status after ${MOST_SYNCS} syncs`);
}
