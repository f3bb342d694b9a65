import type { ResourceRecordSet } from '@aws-sdk/client-route-53';
import { listSome } from '../../foundation/list-some.ts';
import { oneLine } from '../../foundation/one-line.ts';
import { err, ok, type Result } from '../../foundation/result.ts';
import type { Route53Target } from '../spec.ts';
import { asWeight } from '../weight.ts';
import type { SetReading, TargetFailure, TargetFailureReason, WeightedRecord } from './port.ts';

/** A record as Route 53 sent it: parsed by the SDK, and word for word. */
export interface ReceivedRecord {
  readonly record: ResourceRecordSet;
  /** The whole `<ResourceRecordSet>` element. */
  readonly xml: string;
}

const RESOURCE = 'spec.target.route53.resource';

/**
 * The set of the target among the records with its name and type, or why there is none to steer. Every one of them must
 * be weighted: Route 53 lets no other routing stand beside weighted records. `asRead` holds ours by their identifiers.
 */
export function readWeightedSet(
  target: Route53Target,
  received: readonly ReceivedRecord[],
): Result<Omit<SetReading, 'isFresh'>, TargetFailure> {
  const byIdentifier = new Map(received.map((each) => [each.record.SetIdentifier, each]));
  const wanted = target.records.map(({ identifier }) => identifier);
  const own = wanted.flatMap((identifier) => byIdentifier.get(identifier) ?? []);
  const missing = wanted.filter((identifier) => !byIdentifier.has(identifier));
  const example = own[0] ?? received[0];
  if (example === undefined) return err(notFound(target, missing, 'there is none of this name and type'));
  const routing = routingOf(example.record);
  if (routing !== 'weighted') return err(notWeighted(target, routing));
  if (missing.length > 0) return err(notFound(target, missing, identifiersOf(received)));
  const records = own.map(({ record }) => toWeighted(record));
  const others = received.filter((other) => !own.includes(other)).map(({ record }) => toWeighted(record));
  if (!records.every((record) => record !== undefined) || !others.every((record) => record !== undefined))
    return err(fail('TargetError', `${RESOURCE}: a record of the set has no weight within 0..255`));
  const total = records.reduce((sum, { weight }) => sum + weight, 0);
  return ok({
    set: { own: { records, total }, others },
    asRead: new Map(own.map((each) => [each.record.SetIdentifier, each])),
  });
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

function notFound(target: Route53Target, missing: readonly string[], instead: string): TargetFailure {
  const { name, type, hostedZoneId } = target;
  return fail(
    'RecordNotFound',
    `${RESOURCE}: hosted zone ${hostedZoneId} has no ${type} record ${name} with identifier ${quoted(missing)}: ${instead}`,
  );
}

function identifiersOf(received: readonly ReceivedRecord[]): string {
  return `it has ${quoted(received.map(({ record }) => record.SetIdentifier ?? ''))}`;
}

function quoted(identifiers: readonly string[]): string {
  return listSome(identifiers.map((identifier) => `"${identifier}"`));
}

function notWeighted({ name, type, records }: Route53Target, routing: string): TargetFailure {
  const identifiers = quoted(records.map(({ identifier }) => identifier));
  const which = records.length === 1 ? 'one of them' : 'among them';
  return fail(
    'RecordNotWeighted',
    `${RESOURCE}: ${name} ${type} has ${routing} routing, expected weighted records, ${which} ${identifiers}`,
  );
}

function fail(reason: TargetFailureReason, message: string): TargetFailure {
  return { reason, message: oneLine(message), outcomeUnknown: false };
}
