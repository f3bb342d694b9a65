import { child, escapeXml, type XmlElement } from './xml.ts';
import type { ZoneChange, ZoneRecord } from './route53-zone.ts';

/** Route 53's REST-XML: how records, errors and changes look on the wire (APIReference, API version 2013-04-01). */

const NUMBERS = new Set(['Weight', 'TTL']);
const BOOLEANS = new Set(['EvaluateTargetHealth', 'MultiValueAnswer']);

/** The record in a `<ResourceRecordSet>`; fields without a rule here become text or objects of text. */
function readRecord(element: XmlElement): ZoneRecord {
  return Object.fromEntries(
    element.children.map((field) => [field.name, readField(field)]),
  ) as unknown as ZoneRecord;
}

function readField(field: XmlElement): unknown {
  if (field.name === 'ResourceRecords')
    return field.children.map((value) => ({ Value: child(value, 'Value')?.text ?? '' }));
  if (field.children.length > 0)
    return Object.fromEntries(field.children.map((nested) => [nested.name, readField(nested)]));
  if (NUMBERS.has(field.name)) return Number(field.text);
  return BOOLEANS.has(field.name) ? field.text === 'true' : field.text;
}

/** The changes of a `<ChangeResourceRecordSetsRequest>`. */
export function readChanges(request: XmlElement | undefined): readonly ZoneChange[] {
  const changes = child(child(request, 'ChangeBatch'), 'Changes')?.children ?? [];
  return changes.flatMap((change) => {
    const record = child(change, 'ResourceRecordSet');
    return record === undefined
      ? []
      : [{ action: child(change, 'Action')?.text ?? '', record: readRecord(record) }];
  });
}

/** The order in which the API lists the fields of a record; others come after these. */
const FIELD_ORDER = [
  'Name',
  'Type',
  'SetIdentifier',
  'Weight',
  'Region',
  'GeoLocation',
  'Failover',
  'MultiValueAnswer',
  'TTL',
  'ResourceRecords',
  'AliasTarget',
  'HealthCheckId',
];

export function writeRecord(record: ZoneRecord): string {
  const rank = (field: string): number =>
    (FIELD_ORDER.indexOf(field) + FIELD_ORDER.length + 1) % (FIELD_ORDER.length + 1);
  const fields = Object.entries(record).sort(([a], [b]) => rank(a) - rank(b));
  return element('ResourceRecordSet', ...fields.map(([name, value]) => writeField(name, value)));
}

function writeField(name: string, value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return element(name, ...value.map((item) => writeField('ResourceRecord', item)));
  if (typeof value === 'object' && value !== null)
    return element(name, ...Object.entries(value).map(([nested, inner]) => writeField(nested, inner)));
  return textElement(name, value as string | number | boolean);
}

export function element(name: string, ...content: readonly string[]): string {
  return `<${name}>${content.join('')}</${name}>`;
}

/** An element with text, or nothing where there is no text to say. */
export function textElement(name: string, text: string | number | boolean | undefined): string {
  return text === undefined ? '' : element(name, escapeXml(String(text)));
}

export function document(root: string, ...content: readonly string[]): string {
  return `<?xml version="1.0"?>\n<${root} xmlns="https://route53.amazonaws.com/doc/2013-04-01/">${content.join('')}</${root}>`;
}

/** The form of nearly every error (APIReference, "Common Error Types"). */
export function errorDocument(code: string, message: string): string {
  return document(
    'ErrorResponse',
    element(
      'Error',
      textElement('Type', 'Sender'),
      textElement('Code', code),
      textElement('Message', message),
    ),
    textElement('RequestId', '00000000-0000-4000-8000-000000000000'),
  );
}

/** The older form of InvalidChangeBatch: a root of its own with a list of messages. */
export function invalidChangeBatchDocument(messages: readonly string[]): string {
  return document(
    'InvalidChangeBatch',
    element('Messages', ...messages.map((message) => textElement('Message', message))),
  );
}
