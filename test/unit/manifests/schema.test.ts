import assert from 'node:assert/strict';
import { z } from 'zod';
import { customResourceDefinition } from '../../../src/cli/reference/crd.ts';
import { structuralSchema } from '../../../src/cli/reference/schema.ts';
import { structuralProblems } from '../../support/structural-schema.ts';

const rows: readonly { readonly name: string; readonly schema: z.ZodType; readonly want: unknown }[] = [
  {
    name: 'an object says its fields, which are required, and what stands in when one is absent',
    schema: z.object({
      weight: z.int().min(0).max(255).describe('A weight.'),
      dryRun: z.boolean().default(false).describe('Write nothing.'),
    }),
    want: {
      type: 'object',
      properties: {
        weight: { description: 'A weight.', type: 'integer', minimum: 0, maximum: 255 },
        dryRun: { default: false, description: 'Write nothing.', type: 'boolean' },
      },
      required: ['weight'],
    },
  },
  {
    name: 'exactly one key, and a CEL rule, are carried as metadata',
    schema: z.object({ a: z.object({}).optional() }).meta({
      minProperties: 1,
      maxProperties: 1,
      'x-kubernetes-validations': [{ rule: 'has(self.a)', message: 'expected a' }],
    }),
    want: {
      type: 'object',
      properties: { a: { type: 'object', properties: {} } },
      minProperties: 1,
      maxProperties: 1,
      'x-kubernetes-validations': [{ rule: 'has(self.a)', message: 'expected a' }],
    },
  },
  {
    name: 'a strict object loses its "no other keys", which the API server refuses beside properties',
    schema: z.strictObject({ a: z.boolean().optional() }),
    want: { type: 'object', properties: { a: { type: 'boolean' } } },
  },
  {
    name: 'a loose object keeps what it does not know, by the API server’s own word',
    schema: z.looseObject({}).meta({ 'x-kubernetes-preserve-unknown-fields': true }),
    want: { type: 'object', properties: {}, 'x-kubernetes-preserve-unknown-fields': true },
  },
  {
    name: 'a map of strings stays one',
    schema: z.record(z.string(), z.string().max(63)),
    want: { type: 'object', additionalProperties: { type: 'string', maxLength: 63 } },
  },
  {
    name: 'an integer or a string has no type, only the extension',
    schema: z.union([z.int(), z.string()]).meta({ 'x-kubernetes-int-or-string': true }),
    want: { 'x-kubernetes-int-or-string': true },
  },
  {
    name: 'above 0 is an exclusive minimum, as OpenAPI 3.0 writes it',
    schema: z.number().gt(0).lte(1e18),
    want: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 1e18 },
  },
  {
    name: 'a time has its format alone',
    schema: z.iso.datetime(),
    want: { type: 'string', format: 'date-time' },
  },
];

describe('a schema of zod as a structural schema', () => {
  for (const { name, schema, want } of rows)
    it(name, () => {
      assert.deepEqual(structuralSchema(schema), want);
    });
});

const DEFECTS: readonly {
  readonly name: string;
  readonly schema: unknown;
  readonly want: readonly string[];
}[] = [
  {
    name: 'a reference',
    schema: { type: 'object', properties: { a: { description: 'A.', $ref: '#/b' } } },
    want: ['spec.a: a structural schema does not know $ref', 'spec.a: has no type'],
  },
  {
    name: 'alternatives and null',
    schema: { type: 'object', oneOf: [], nullable: true },
    want: [
      'spec: a structural schema does not know oneOf',
      'spec: a structural schema does not know nullable',
    ],
  },
  {
    name: 'an open object with fields',
    schema: { type: 'object', properties: {}, additionalProperties: { type: 'boolean' } },
    want: ['spec: has additionalProperties beside properties'],
  },
  {
    name: 'a field without a description',
    schema: { type: 'object', properties: { a: { type: 'boolean' } } },
    want: ['spec.a: has no description'],
  },
  {
    name: 'what has no bounds',
    schema: { type: 'array', items: { type: 'object', additionalProperties: { type: 'string' } } },
    want: ['spec: has no maxItems', 'spec[]{}: has no maxLength'],
  },
  {
    name: 'an integer without bounds',
    schema: { type: 'integer', minimum: 0 },
    want: ['spec: has no maximum'],
  },
  {
    name: 'a pattern that looks ahead, and a rule without words',
    schema: {
      type: 'string',
      maxLength: 9,
      pattern: '^(?!a)',
      'x-kubernetes-validations': [{ rule: 'true' }],
    },
    want: ['spec: has a pattern that RE2 cannot read', 'spec: has a rule without a message: true'],
  },
  {
    name: 'a required field that is not there',
    schema: { type: 'object', properties: {}, required: ['a'] },
    want: ['spec: requires a, which it does not have'],
  },
  {
    name: 'a bound in the manner of a newer OpenAPI',
    schema: { type: 'number', minimum: 0, maximum: 1, exclusiveMinimum: 0 },
    want: ['spec: exclusiveMinimum is not a boolean'],
  },
];

describe('the structural check refuses', () => {
  for (const { name, schema, want } of DEFECTS)
    it(name, () => {
      assert.deepEqual(structuralProblems(schema, 'spec'), want);
    });
});

describe('a CustomResourceDefinition', () => {
  it('has the status subresource, one stored version and the whole object in its schema', () => {
    const crd = customResourceDefinition({
      group: 'example.com',
      version: 'v1',
      kind: 'Thing',
      plural: 'things',
      singular: 'thing',
      description: 'A thing.',
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
      rules: [{ rule: 'size(self.metadata.name) < 64', message: 'expected a shorter name' }],
      spec: z.object({ a: z.boolean() }),
      status: z.object({}),
    });
    assert.deepEqual(crd, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        names: { kind: 'Thing', listKind: 'ThingList', plural: 'things', singular: 'thing' },
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            subresources: { status: {} },
            additionalPrinterColumns: [
              { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
            ],
            schema: {
              openAPIV3Schema: {
                description: 'A thing.',
                type: 'object',
                required: ['spec'],
                properties: {
                  apiVersion: { description: 'Group and version of the API.', type: 'string' },
                  kind: { description: 'Kind of the object.', type: 'string' },
                  metadata: { type: 'object' },
                  spec: { type: 'object', properties: { a: { type: 'boolean' } }, required: ['a'] },
                  status: { type: 'object', properties: {} },
                },
                'x-kubernetes-validations': [
                  { rule: 'size(self.metadata.name) < 64', message: 'expected a shorter name' },
                ],
              },
            },
          },
        ],
      },
    });
  });
});
