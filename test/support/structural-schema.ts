/**
 * What kube-apiserver demands of a CRD's schema
 * (https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema),
 * and what we demand on top: every field described, everything bounded (CEL's cost is estimated from the bounds),
 * patterns that RE2 and JavaScript read alike.
 */

const KEYWORDS: ReadonlySet<string> = new Set([
  'type',
  'description',
  'default',
  'enum',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'properties',
  'required',
  'items',
  'additionalProperties',
  'x-kubernetes-validations',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
]);

type Node = Readonly<Record<string, unknown>>;

/** Everything that is wrong with a schema, as "path: what". */
export function structuralProblems(schema: unknown, path: string): readonly string[] {
  if (!isNode(schema)) return [`${path}: is not a schema`];
  return [
    ...Object.keys(schema)
      .filter((key) => !KEYWORDS.has(key))
      .map((key) => `a structural schema does not know ${key}`),
    ...typeProblems(schema),
    ...boundProblems(schema),
    ...ruleProblems(schema),
  ]
    .map((problem) => `${path}: ${problem}`)
    .concat(childProblems(schema, path));
}

function typeProblems(schema: Node): readonly string[] {
  const problems: string[] = [];
  const untyped = schema['x-kubernetes-int-or-string'] === true;
  if (untyped === (schema['type'] !== undefined))
    problems.push(untyped ? 'has a type too many' : 'has no type');
  if ('properties' in schema && 'additionalProperties' in schema)
    problems.push('has additionalProperties beside properties');
  if (schema['type'] === 'array' && !('items' in schema)) problems.push('is a list of nothing');
  for (const key of ['exclusiveMinimum', 'exclusiveMaximum'])
    if (key in schema && typeof schema[key] !== 'boolean') problems.push(`${key} is not a boolean`);
  return problems;
}

function boundProblems(schema: Node): readonly string[] {
  switch (schema['type']) {
    case 'integer':
    case 'number':
      return ['minimum', 'maximum'].filter((key) => !(key in schema)).map((key) => `has no ${key}`);
    case 'array':
      return 'maxItems' in schema ? [] : ['has no maxItems'];
    case 'string':
      return 'maxLength' in schema || 'enum' in schema || schema['format'] === 'date-time'
        ? []
        : ['has no maxLength'];
    default:
      return [];
  }
}

function ruleProblems(schema: Node): readonly string[] {
  const problems: string[] = [];
  const pattern = schema['pattern'];
  if (typeof pattern === 'string' && /\(\?[=!<]/.test(pattern))
    problems.push('has a pattern that RE2 cannot read');
  const rules = schema['x-kubernetes-validations'] ?? [];
  if (!Array.isArray(rules)) return [...problems, 'its rules are no list'];
  for (const rule of rules as readonly unknown[]) {
    if (!isNode(rule) || typeof rule['rule'] !== 'string') problems.push('has a rule that says nothing');
    else if (typeof rule['message'] !== 'string')
      problems.push(`has a rule without a message: ${rule['rule']}`);
    else if (/[\n\r]/.test(rule['message'])) problems.push('has a message of several lines');
  }
  return problems;
}

function childProblems(schema: Node, path: string): readonly string[] {
  const properties = isNode(schema['properties']) ? schema['properties'] : {};
  const missing = Array.isArray(schema['required'])
    ? (schema['required'] as readonly unknown[]).filter((name) => !(String(name) in properties))
    : [];
  return [
    ...missing.map((name) => `${path}: requires ${String(name)}, which it does not have`),
    ...Object.entries(properties).flatMap(([name, property]) => [
      ...(isNode(property) && (property['description'] ?? '') === '' && name !== 'metadata'
        ? [`${path}.${name}: has no description`]
        : []),
      ...structuralProblems(property, `${path}.${name}`),
    ]),
    ...('items' in schema ? structuralProblems(schema['items'], `${path}[]`) : []),
    ...('additionalProperties' in schema
      ? structuralProblems(schema['additionalProperties'], `${path}{}`)
      : []),
  ];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
