import { REBALANCE } from '../api/parent-kinds.ts';
import { parseRebalanceSpec } from '../api/rebalance.ts';
import { parseRfc3339 } from '../foundation/clock.ts';
import type { Deadline } from '../foundation/deadline.ts';
import { err, ok, type Result } from '../foundation/result.ts';
import type { ApiFailure, KubernetesApi } from '../kubernetes/api.ts';
import type { ObservedMetadata, ObservedObject } from '../kubernetes/objects.ts';
import { holdersOf, mayWrite, type Holders, type Rival } from '../rebalance/rivals.ts';
import type { Route53Target } from '../rebalance/spec.ts';

/** A list as old as this will do for another object, so that many objects do not list as many times. */
const LIST_WINDOW_MS = 5_000;

/** What a list said. */
interface Listed {
  readonly holders: Holders;
  readonly uids: ReadonlySet<string>;
}

interface Asker {
  readonly uid: string;
  readonly nowMs: number;
  readonly deadline: Deadline;
}

/** Who steers which record, among all Rebalances of the cluster. */
export interface RivalReader {
  /** From a list that knows the asker, and so everybody older; one list answers all who ask within a few seconds. */
  read(asker: Asker): Promise<Result<Holders, ApiFailure>>;
}

/** `kubernetes` undefined: nobody can be asked. */
export function createRivalReader(kubernetes: KubernetesApi | undefined): RivalReader {
  let latest: { readonly atMs: number; readonly listed: Promise<Result<Listed, ApiFailure>> } | undefined;

  const begin = ({ nowMs, deadline }: Asker): Promise<Result<Listed, ApiFailure>> => {
    const begun = { atMs: nowMs, listed: list(kubernetes, deadline) };
    latest = begun;
    void begun.listed.then((listed) => {
      if (!listed.ok && latest === begun) latest = undefined;
    });
    return begun.listed;
  };

  return {
    read: async (asker) => {
      const shared =
        latest !== undefined && Math.abs(asker.nowMs - latest.atMs) <= LIST_WINDOW_MS
          ? latest.listed
          : undefined;
      const first = await (shared ?? begin(asker));
      if (!first.ok) return first;
      if (shared === undefined || first.value.uids.has(asker.uid)) return ok(first.value.holders);
      // Created since: who came before it may be missing too.
      const renewed = await (latest === undefined || latest.listed === shared ? begin(asker) : latest.listed);
      return renewed.ok ? ok(renewed.value.holders) : renewed;
    },
  };
}

/** Whom an object steers for, as far as its metadata say it. */
export function rivalOf(
  { namespace = '', name, uid = '', creationTimestamp = '' }: ObservedMetadata,
  target: Route53Target,
): Rival {
  return { namespace, name, uid, createdAtMs: parseRfc3339(creationTimestamp) ?? Infinity, target };
}

async function list(
  kubernetes: KubernetesApi | undefined,
  deadline: Deadline,
): Promise<Result<Listed, ApiFailure>> {
  if (kubernetes === undefined) return err({ kind: 'Unavailable', message: 'there is no Kubernetes API' });
  const listed = await kubernetes.list(REBALANCE, deadline);
  if (!listed.ok) return listed;
  const uids = new Set(listed.value.map(({ metadata }) => metadata.uid ?? ''));
  return ok({ holders: holdersOf(listed.value.flatMap(contender)), uids });
}

/** None for an object that will never write: suspended, a dry run, being deleted, or with a spec that cannot be read. */
function contender({ metadata, ...rest }: ObservedObject): readonly Rival[] {
  if (metadata.deletionTimestamp !== undefined) return [];
  const parsed = parseRebalanceSpec(rest['spec']);
  return parsed.ok && mayWrite(parsed.value.spec) ? [rivalOf(metadata, parsed.value.spec.target)] : [];
}
