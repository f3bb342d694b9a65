import { REBALANCE } from '../../api/parent-kinds.ts';
import { parseRebalanceSpec } from '../../api/rebalance.ts';
import { err, ok, type Result } from '../../foundation/result.ts';
import type { ObservedParent } from '../../kubernetes/metacontroller.ts';
import { describeProblems } from '../../kubernetes/spec-problem.ts';
import { noticesOf, usedIntervalMs, type Grants } from '../../rebalance/notices.ts';
import { readManifest } from '../manifest.ts';
import type { ReplayedObject } from './replay.ts';

/** The Rebalance in a file; the error is one line with all that is wrong with its spec. */
export function readObject(flag: string, path: string, grants: Grants): Result<ReplayedObject, string> {
  const parent = readManifest(flag, path, REBALANCE);
  if (!parent.ok) return parent;
  const object = toObject(parent.value, grants);
  return object.ok ? object : err(`${flag} ${path}: ${object.error}`);
}

/** A Rebalance as it runs. */
export function toObject(
  { metadata, spec: raw }: Pick<ObservedParent, 'metadata' | 'spec'>,
  grants: Grants,
): Result<ReplayedObject, string> {
  const parsed = parseRebalanceSpec(raw);
  if (!parsed.ok) return err(describeProblems(parsed.error));
  const { spec, unknownFields } = parsed.value;
  return ok({
    spec,
    generation: metadata.generation,
    intervalMs: usedIntervalMs(spec.intervalMs, grants),
    notices: noticesOf(spec, unknownFields, grants),
  });
}
