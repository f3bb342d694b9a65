import type { ResourceRecordSet } from '@aws-sdk/client-route-53';
import { oneLine } from '../../foundation/one-line.ts';
import { err, ok, type Result } from '../../foundation/result.ts';
import type { Route53Target } from '../spec.ts';
import { asWeight } from '../weight.ts';
import type { SetReading, TargetFailure, TargetFailureReason, WeightedRecord } from './port.ts';
import { isSameName } from './route53-names.ts';

/** A record as Route 53 sent it: parsed by the SDK, and word for word. */
export interface ReceivedRecord {
  readonly record: ResourceRecordSet;
  /** The whole `<ResourceRecordSet>` element. */
  readonly xml: string;
}

const RESOURCE = 'spec.target.route53.resource';

/** How many identifiers a message names. */
const NAMED_IDENTIFIERS = 5;

/** Whether a record belongs to the target's set: the same name and type, whatever its identifier. */
export function isInSet(
  target: Route53Target,
  record: Partial<Pick<ResourceRecordSet, 'Name' | 'Type'>>,
): boolean {
  return record.Type === target.type && record.Name !== undefined && isSameName(record.Name, target.name);
}

/**
 * The set of the target among the records with its name and type, or why there is none to steer. Every one of them must
 * be weighted: Route 53 lets no other routing stand beside weighted records.
 */
export function readWeightedSet(
  target: Route53Target,
  received: readonly ReceivedRecord[],
): Result<SetReading, TargetFailure> {
  const own = received.find(({ record }) => record.SetIdentifier === target.identifier);
  const example = own ?? received[0];
  if (example === undefined) return err(notFound(target, 'there is none of this name and type'));
  const routing = routingOf(example.record);
  if (routing !== 'weighted') return err(notWeighted(target, routing));
  if (own === undefined) return err(notFound(target, identifiersOf(received)));
  const ownRecord = toWeighted(own.record);
  const others = received.filter((other) => other !== own).map(({ record }) => toWeighted(record));
  if (ownRecord === undefined || !others.every((record) => record !== undefined))
    return err(fail('TargetError', `${RESOURCE}: a record of the set has no weight within 0..255`));
  return ok({ set: { own: ownRecord, others }, asRead: own });
}

function toWeighted(record: ResourceRecordSet): WeightedRecord | undefined {
  const weight = asWeight(record.Weight);
  if (weight === undefined) return undefined;
  return {
    identifier: record.SetIdentifier ?? '',
    weight,
    ttlSeconds: record.TTL,
    healthChecked: record.HealthCheckId !== undefined || record.AliasTarget?.EvaluateTargetHealth === true,
  };
}

/** The routing of a record by the field that makes it (Route 53 API Reference, ResourceRecordSet). */
function routingOf(record: ResourceRecordSet): string {
  if (record.Weight !== undefined) return 'weighted';
  if (record.Region !== undefined) return 'latency';
  if (record.Failover !== undefined) return 'failover';
  if (record.GeoLocation !== undefined) return 'geolocation';
  if (record.GeoProximityLocation !== undefined) return 'geoproximity';
  if (record.CidrRoutingConfig !== undefined) return 'IP-based';
  return record.MultiValueAnswer === undefined ? 'simple' : 'multivalue answer';
}

function notFound(target: Route53Target, instead: string): TargetFailure {
  const { name, type, identifier, hostedZoneId } = target;
  return fail(
    'RecordNotFound',
    `${RESOURCE}: hosted zone ${hostedZoneId} has no ${type} record ${name} with identifier "${identifier}": ${instead}`,
  );
}

function identifiersOf(received: readonly ReceivedRecord[]): string {
  const named = received.slice(0, NAMED_IDENTIFIERS).map(({ record }) => `"${record.SetIdentifier ?? ''}"`);
  const more = received.length - named.length;
  return `it has ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function notWeighted({ name, type, identifier }: Route53Target, routing: string): TargetFailure {
  return fail(
    'RecordNotWeighted',
    `${RESOURCE}: ${name} ${type} has ${routing} routing, expected weighted records, one of them "${identifier}"`,
  );
}

function fail(reason: TargetFailureReason, message: string): TargetFailure {
  return { reason, message: oneLine(message), outcomeUnknown: false };
}
