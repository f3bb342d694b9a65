import { isDeepStrictEqual } from 'node:util';

/**
 * What Route 53 keeps of a hosted zone and which changes it accepts: no HTTP, no time. Each rule names the page of
 * https://docs.aws.amazon.com/Route53/latest/ that it was written from.
 */

/** A record as the API spells it; fields that this file does not know are kept as they came. */
export interface ZoneRecord {
  readonly Name: string;
  readonly Type: string;
  readonly SetIdentifier?: string;
  readonly Weight?: number;
  readonly TTL?: number;
  readonly ResourceRecords?: readonly { readonly Value: string }[];
  readonly AliasTarget?: {
    readonly HostedZoneId: string;
    readonly DNSName: string;
    readonly EvaluateTargetHealth: boolean;
  };
  readonly HealthCheckId?: string;
  readonly [field: string]: unknown;
}

export interface ZoneChange {
  readonly action: string;
  readonly record: ZoneRecord;
}

/** One name and type that nobody may change (DeveloperGuide/rrset-protection.html). */
export interface Protection {
  readonly name: string;
  readonly type: string;
  readonly comment: string;
}

export interface Zone {
  readonly id: string;
  /** Lower case, with the trailing dot. */
  readonly name: string;
  /** In the order of the list. */
  readonly records: readonly ZoneRecord[];
  readonly protections: readonly Protection[];
}

/**
 * The form in which names come back: lower case, absolute, everything but a-z, 0-9, hyphen and underscore as `\ooo`
 * (DeveloperGuide/DomainNameFormat.html).
 */
export function canonicalName(name: string): string {
  const absolute = /(^|[^\\])\.$/.test(name) ? name.slice(0, -1) : name;
  const labels = absolute.split('.').map((label) =>
    plain(label)
      .toLowerCase()
      .replace(/[^a-z0-9_-]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`),
  );
  return `${labels.join('.')}.`;
}

function plain(label: string): string {
  return label.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
}

/** Position in a list: labels reversed, with the trailing dot, in ASCII order, then the type, then the identifier. */
export interface Position {
  readonly name: string;
  readonly type?: string | undefined;
  readonly identifier?: string | undefined;
}

/** APIReference/API_ListResourceRecordSets.html, "Sort order". */
export function comparePositions(a: Position, b: Position): number {
  return (
    ascii(sortKey(a.name), sortKey(b.name)) ||
    ascii(a.type ?? '', b.type ?? '') ||
    ascii(a.identifier ?? '', b.identifier ?? '')
  );
}

export function positionOf(record: ZoneRecord): Position {
  return { name: record.Name, type: record.Type, identifier: record.SetIdentifier };
}

function sortKey(name: string): string {
  return `${canonicalName(name).slice(0, -1).split('.').map(plain).reverse().join('.')}.`;
}

function ascii(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `zone` with `record` put in, over one of the same name, type and identifier. */
export function putRecord(zone: Zone, record: ZoneRecord): Zone {
  const put = { ...record, Name: canonicalName(record.Name) };
  const others = zone.records
    .filter((other) => !isSameRecord(other, put))
    .map((other) => withTtlOf(other, put));
  const records = [...others, put].sort((a, b) => comparePositions(positionOf(a), positionOf(b)));
  return { ...zone, records };
}

/**
 * All weighted records of a set have one TTL, the one that was set last; alias records have none
 * (DeveloperGuide/resource-record-sets-values-weighted.html, "TTL (seconds)").
 */
function withTtlOf(other: ZoneRecord, put: ZoneRecord): ZoneRecord {
  const shares = isSameSet(other, put) && routingOf(other) === 'weighted' && other.TTL !== undefined;
  return shares && put.TTL !== undefined ? { ...other, TTL: put.TTL } : other;
}

function isSameSet(a: ZoneRecord, b: ZoneRecord): boolean {
  return a.Name === b.Name && a.Type === b.Type;
}

function isSameRecord(a: ZoneRecord, b: ZoneRecord): boolean {
  return isSameSet(a, b) && a.SetIdentifier === b.SetIdentifier;
}

/** Which of the routing fields a record has (APIReference/API_ResourceRecordSet.html). */
export function routingOf(record: ZoneRecord): string {
  const kinds = [
    ['Weight', 'weighted'],
    ['Region', 'latency'],
    ['Failover', 'failover'],
    ['GeoLocation', 'geolocation'],
    ['MultiValueAnswer', 'multivalue answer'],
    ['CidrRoutingConfig', 'IP-based'],
    ['GeoProximityLocation', 'geoproximity'],
  ] as const;
  return kinds.find(([field]) => record[field] !== undefined)?.[1] ?? 'simple';
}

/**
 * The zone after all changes, or every reason why none of them is made: a batch is atomic
 * (APIReference/API_ChangeResourceRecordSets.html).
 */
export function applyChanges(
  zone: Zone,
  changes: readonly ZoneChange[],
): { readonly zone: Zone } | { readonly problems: readonly string[] } {
  let next = zone;
  const problems: string[] = [];
  for (const change of changes) {
    const record = { ...change.record, Name: canonicalName(change.record.Name) };
    const problem = problemOf(next, { ...change, record });
    if (problem !== undefined) problems.push(problem);
    else if (change.action === 'DELETE')
      next = { ...next, records: next.records.filter((other) => !isSameRecord(other, record)) };
    else next = putRecord(next, record);
  }
  return problems.length === 0 ? { zone: next } : { problems };
}

function problemOf(zone: Zone, { action, record }: ZoneChange): string | undefined {
  const existing = zone.records.find((other) => isSameRecord(other, record));
  const protection = zone.protections.find(({ name, type }) => name === record.Name && type === record.Type);
  if (protection !== undefined)
    return `${describe(record)} has a record set protection and cannot be changed: ${protection.comment}`;
  switch (action) {
    case 'DELETE':
      if (existing === undefined) return `Tried to delete ${describe(record)} but it was not found`;
      return isEqual(existing, record)
        ? undefined
        : `Tried to delete ${describe(record)} but the values provided do not match the current values`;
    case 'CREATE':
      return existing === undefined
        ? shapeProblem(zone, record)
        : `Tried to create ${describe(record)} but it already exists`;
    default:
      return shapeProblem(zone, record);
  }
}

function describe(record: ZoneRecord): string {
  const identifier = record.SetIdentifier === undefined ? '' : `, set identifier='${record.SetIdentifier}'`;
  return `resource record set [name='${record.Name}', type='${record.Type}'${identifier}]`;
}

/** What may not stand in the zone, or not beside its other records (APIReference/API_ResourceRecordSet.html). */
function shapeProblem(zone: Zone, record: ZoneRecord): string | undefined {
  const others = zone.records.filter((other) => other.Name === record.Name && !isSameRecord(other, record));
  const set = others.filter((other) => other.Type === record.Type);
  const routing = routingOf(record);
  if (record.Name !== zone.name && !record.Name.endsWith(`.${zone.name}`))
    return `RRSet with DNS name ${record.Name} is not permitted in zone ${zone.name}`;
  if (
    (record.AliasTarget === undefined) ===
    (record.TTL === undefined || record.ResourceRecords === undefined)
  )
    return `${describe(record)} needs either an AliasTarget or a TTL with ResourceRecords`;
  if ((routing === 'simple') !== (record.SetIdentifier === undefined))
    return `${describe(record)} needs a SetIdentifier exactly when its routing is not simple`;
  if (set.some((other) => routing === 'simple' || routingOf(other) !== routing))
    return `${describe(record)} cannot be created as other RRSets exist with the same name and type`;
  if (others.some((other) => (other.Type === 'CNAME') !== (record.Type === 'CNAME')))
    return `RRSet of type ${record.Type} with DNS name ${record.Name} is not permitted as it conflicts with other records with the same DNS name in zone ${zone.name}`;
  if (set.length >= 100) return `${describe(record)} would be more than 100 records with one name and type`;
  return undefined;
}

/** Same fields with the same values; the order of ResourceRecords does not matter. */
function isEqual(a: ZoneRecord, b: ZoneRecord): boolean {
  return isDeepStrictEqual(withSortedValues(a), withSortedValues(b));
}

function withSortedValues(record: ZoneRecord): ZoneRecord {
  if (record.ResourceRecords === undefined) return record;
  return { ...record, ResourceRecords: record.ResourceRecords.toSorted((a, b) => ascii(a.Value, b.Value)) };
}
