import type { z } from 'zod';
import { structuralSchema, type Rule, type Schema } from './schema.ts';

/** What a CustomResourceDefinition says beyond the schemas of spec and status. */
export interface ResourceDefinition {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly description: string;
  readonly columns: readonly PrinterColumn[];
  /** CEL rules over the whole object, which alone sees metadata.name. */
  readonly rules: readonly Rule[];
  readonly spec: z.ZodType;
  readonly status: z.ZodType;
}

/** A column of `kubectl get`; priority 1 shows with `-o wide` alone. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'date';
  readonly jsonPath: string;
  readonly priority?: 1;
  readonly description?: string;
}

/** The CustomResourceDefinition, ready to be written as YAML. */
export function customResourceDefinition(resource: ResourceDefinition): object {
  const { group, version, kind, plural, singular, columns } = resource;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular },
      scope: 'Namespaced',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          // Metacontroller ignores a parent without it.
          subresources: { status: {} },
          additionalPrinterColumns: columns,
          schema: { openAPIV3Schema: objectSchema(resource) },
        },
      ],
    },
  };
}

/** The schema of a whole object of this kind. */
export function objectSchema({ description, rules, spec, status }: ResourceDefinition): Schema {
  return {
    description,
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { description: 'Group and version of the API.', type: 'string' },
      kind: { description: 'Kind of the object.', type: 'string' },
      metadata: { type: 'object' },
      spec: structuralSchema(spec),
      status: structuralSchema(status),
    },
    ...(rules.length === 0 ? {} : { 'x-kubernetes-validations': rules }),
  };
}
