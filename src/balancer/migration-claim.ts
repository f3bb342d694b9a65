import { oneLine } from '../foundation/one-line.ts';
import type { Condition } from '../kubernetes/conditions.ts';
import { describeObject, kubectl } from '../kubernetes/kubectl.ts';
import type { ObjectReference } from '../kubernetes/objects.ts';
import type { WantedDecision } from './decide.ts';
import { deploymentReference } from './identity.ts';
import type { Outcomes } from './outcomes.ts';

/** What the condition Migrating says while there is something to migrate. */
export interface MigrationClaim {
  readonly reason: 'TemplateAwaited' | 'RollingOut' | 'Orphaning' | 'OrphaningFailed' | 'Recreating';
  readonly message: string;
}

/**
 * How far the migration has come, in words; undefined: there is none. `previous` only tells the last step from a first
 * creation.
 */
export function claimMigration(
  decision: WantedDecision,
  { orphaning }: Outcomes,
  previous: readonly Condition[],
): MigrationClaim | undefined {
  const reference = deploymentReference(decision.blueprint.identity);
  const object = describeObject(reference);
  switch (decision.migration.kind) {
    case 'None': {
      const isGone = decision.missing.some(({ kind }) => kind === reference.kind);
      const wasMigrating = previous.some(({ type }) => type === 'Migrating');
      if (!isGone || !wasMigrating) return undefined;
      return { reason: 'Recreating', message: `${object} is made anew and adopts the pods that run` };
    }
    case 'AwaitTemplate':
      return {
        reason: 'TemplateAwaited',
        message: `${object} gets our selector with the next change of its pod template`,
      };
    case 'AwaitRollout':
      return rollingOut(object);
    case 'AwaitRemoval':
      return orphaned(object);
    case 'Orphan':
      return claimOrphaning(reference, orphaning);
  }
}

function claimOrphaning(reference: ObjectReference, orphaning: Outcomes['orphaning']): MigrationClaim {
  const object = describeObject(reference);
  if (orphaning === undefined) return orphaningFailed(reference, 'no access to the Kubernetes API');
  if (orphaning.ok) return orphaned(object);
  switch (orphaning.error.kind) {
    // A cache that lags: the step was taken already.
    case 'NotFound':
      return orphaned(object);
    case 'Conflict':
      return rollingOut(object);
    case 'Forbidden':
    case 'Unavailable':
      return orphaningFailed(reference, oneLine(orphaning.error.message));
  }
}

function orphaningFailed(reference: ObjectReference, why: string): MigrationClaim {
  return {
    reason: 'OrphaningFailed',
    message: `${describeObject(reference)} could not be deleted without its pods (${why}); do it with: ${kubectl(reference, 'delete', '--cascade=orphan')}`,
  };
}

function rollingOut(object: string): MigrationClaim {
  return {
    reason: 'RollingOut',
    message: `${object} keeps its older selector until every pod has the labels of ours`,
  };
}

function orphaned(object: string): MigrationClaim {
  return { reason: 'Orphaning', message: `${object} is being deleted without its pods, to be made anew` };
}
