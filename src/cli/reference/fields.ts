import type { ResourceDefinition } from './crd.ts';
import { objectSchema } from './crd.ts';
import { code, generatedFrom, page, table } from './markdown.ts';
import type { Schema } from './schema.ts';

/** One field of a resource, by its path from the object. */
interface Field {
  readonly path: string;
  readonly schema: Schema;
  readonly required: boolean;
}

/** The page of a resource: each field of spec and status, with its type, default and limits, and the rules across fields. */
export function fieldsPage(resource: ResourceDefinition, source: string): string {
  const schema = objectSchema(resource);
  const spec = schema.properties?.['spec'] ?? {};
  const status = schema.properties?.['status'] ?? {};
  const rules = rulesBelow('', schema);
  return page(
    generatedFrom(source),
    `# ${resource.kind}`,
    `${resource.description} API \`${resource.group}/${resource.version}\`, \`kubectl get ${resource.plural}.${resource.group}\`.`,
    '## spec',
    fieldTable(fieldsBelow('spec', spec)),
    '## status',
    fieldTable(fieldsBelow('status', status)),
    ...(rules.length === 0
      ? []
      : [
          '## Rules across fields',
          'The API server refuses what breaks one of these; a body that comes to the hook by another way gets the same words in the condition `SpecValid`.',
          table(['At', 'Message', 'Rule (CEL)'], rules),
        ]),
  );
}

function fieldTable(fields: readonly Field[]): string {
  return table(
    ['Field', 'Type', 'Default', 'Meaning'],
    fields.map(({ path, schema, required }) => [
      code(path),
      typeOf(schema),
      required ? 'required' : schema.default === undefined ? '' : code(JSON.stringify(schema.default)),
      [schema.description ?? '', limitsOf(schema)].filter((text) => text !== '').join(' '),
    ]),
  );
}

/** The fields below `path`, depth first in the order of the schema. */
function fieldsBelow(path: string, schema: Schema): readonly Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const field = {
      path: `${path}.${name}`,
      schema: property,
      required: schema.required?.includes(name) ?? false,
    };
    return [field, ...fieldsBelow(`${field.path}${property.items ? '[]' : ''}`, property.items ?? property)];
  });
}

function typeOf(schema: Schema): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'integer or string';
  if (schema.enum !== undefined) return schema.enum.map((value) => code(String(value))).join(' or ');
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  if (schema.additionalProperties !== undefined) return `map to ${typeOf(schema.additionalProperties)}`;
  return schema.type ?? 'any';
}

/** What the schema demands of a value, in words. */
function limitsOf(schema: Schema): string {
  const limits = [
    range(schema),
    schema.maxLength === undefined ? '' : `At most ${schema.maxLength} characters.`,
    schema.maxItems === undefined ? '' : `At most ${schema.maxItems} items.`,
    schema.minProperties === 1 && schema.maxProperties === 1 ? 'Exactly one of its keys.' : '',
    schema.pattern === undefined ? '' : `Matches ${code(schema.pattern)}.`,
  ];
  return limits.filter((limit) => limit !== '').join(' ');
}

function range({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string {
  const from = minimum === undefined ? '' : `${exclusiveMinimum === true ? 'above' : 'from'} ${minimum}`;
  const to = maximum === undefined ? '' : `${exclusiveMaximum === true ? 'below' : 'to'} ${maximum}`;
  if (from === '' && to === '') return '';
  const text = [from, to].filter((part) => part !== '').join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Every CEL rule of a schema: where, message, rule. */
function rulesBelow(path: string, schema: Schema): readonly (readonly string[])[] {
  const own = (schema['x-kubernetes-validations'] ?? []).map(({ rule, message }) => [
    path === '' ? 'the object' : code(path),
    message,
    code(rule),
  ]);
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    rulesBelow(path === '' ? name : `${path}.${name}`, property),
  );
  const items = schema.items === undefined ? [] : rulesBelow(`${path}[]`, schema.items);
  return [...own, ...below, ...items];
}
