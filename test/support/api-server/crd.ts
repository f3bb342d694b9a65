import type { ObservedObject } from '../../../src/kubernetes/objects.ts';
import { isRecord, listAt, omit, recordAt, sameJson, type JsonRecord } from '../json.ts';
import type { KindRules } from './kinds.ts';

/** The rules of the kind that a CustomResourceDefinition (v1, as parsed from its yaml) serves in its first version. */
export function kindOfCrd(crd: unknown): KindRules {
  const names = recordAt(crd, 'spec', 'names');
  const version = recordAt(listAt(recordAt(crd, 'spec'), 'versions')[0]);
  const schema = recordAt(version, 'schema', 'openAPIV3Schema');
  return {
    apiVersion: `${String(recordAt(crd, 'spec')['group'])}/${String(version['name'])}`,
    kind: String(names['kind']),
    resource: String(names['plural']),
    hasStatusSubresource: Object.hasOwn(recordAt(version, 'subresources'), 'status'),
    bumpsGeneration: (before, after) => !sameJson(content(before), content(after)),
    admit: ({ apiVersion, kind, metadata, ...rest }) => ({
      apiVersion,
      kind,
      metadata,
      ...recordAt(admit(rest, schema)),
    }),
  };
}

/** The schema of a value that is kept as it comes. */
const KEEP_ALL = { 'x-kubernetes-preserve-unknown-fields': true };

/** A custom kind of which nothing is known but its names: stored as it comes. */
export function customKind(apiVersion: string, kind: string, resource: string): KindRules {
  return kindOfCrd({
    spec: {
      group: apiVersion.split('/')[0],
      names: { kind, plural: resource },
      versions: [
        {
          name: apiVersion.split('/')[1],
          schema: { openAPIV3Schema: KEEP_ALL },
          subresources: { status: {} },
        },
      ],
    },
  });
}

/** [generation] Everything outside metadata and status. */
function content(object: ObservedObject): JsonRecord {
  return omit(object, 'metadata', 'status');
}

/**
 * A value as the API server stores it under a structural schema: [pruning] fields that the schema does not know are
 * dropped, [nulls-dropped] so are nulls where it does not allow them, [defaults] absent fields that have a default get it.
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
 */
function admit(value: unknown, schema: JsonRecord): unknown {
  if (Array.isArray(value))
    return value.map((item) => admit(item, recordAt({ items: KEEP_ALL, ...schema }, 'items')));
  if (!isRecord(value)) return value;
  const admitted: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    const fieldSchema = schemaOf(schema, key);
    if (fieldSchema === undefined) continue;
    if (field === null && fieldSchema['nullable'] !== true) continue;
    admitted[key] = admit(field, fieldSchema);
  }
  for (const [key, fieldSchema] of Object.entries(recordAt(schema, 'properties'))) {
    if (Object.hasOwn(admitted, key) || !isRecord(fieldSchema) || !Object.hasOwn(fieldSchema, 'default'))
      continue;
    admitted[key] = admit(fieldSchema['default'], fieldSchema);
  }
  return admitted;
}

/** The schema of a field, or undefined where the field is unknown. */
function schemaOf(schema: JsonRecord, key: string): JsonRecord | undefined {
  const properties = recordAt(schema, 'properties');
  if (Object.hasOwn(properties, key)) return recordAt(properties, key);
  if (isRecord(schema['additionalProperties'])) return schema['additionalProperties'];
  return schema['x-kubernetes-preserve-unknown-fields'] === true ? KEEP_ALL : undefined;
}
