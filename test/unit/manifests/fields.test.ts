import assert from 'node:assert/strict';
import { z } from 'zod';
import type { ResourceDefinition } from '../../../src/cli/reference/crd.ts';
import { fieldsPage } from '../../../src/cli/reference/fields.ts';

const thing: ResourceDefinition = {
  group: 'example.com',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  singular: 'thing',
  description: 'A thing.',
  columns: [],
  rules: [],
  spec: z.object({
    share: z.number().gt(0).lt(1).describe('A share.'),
    least: z.int().min(1).optional(),
    most: z.int().max(9).default(3).describe('At most this.'),
    names: z.array(z.string().max(63)).max(4).describe('Names.').optional(),
    windows: z
      .array(
        z
          .object({ day: z.enum(['Sat', 'Sun']).describe('A day.') })
          .meta({ 'x-kubernetes-validations': [{ rule: "self.day != 'Sun'", message: 'not on Sunday' }] }),
      )
      .describe('Windows.')
      .optional(),
    labels: z.record(z.string(), z.string()).describe('Labels.').optional(),
    cpu: z.unknown().meta({ description: 'A quantity.', 'x-kubernetes-int-or-string': true }).optional(),
    choice: z.object({}).meta({ description: 'A choice.', minProperties: 1, maxProperties: 1 }).optional(),
    pattern: z.string().regex(/^a|b$/).describe('A or b.').optional(),
  }),
  status: z.object({}),
};

describe('the page of a resource', () => {
  const page = fieldsPage(thing, 'src/api/thing.ts');

  const rows: readonly { readonly name: string; readonly line: string }[] = [
    {
      name: 'where it comes from',
      line: '<!-- Generated from src/api/thing.ts by `npm run generate`; do not edit. -->',
    },
    {
      name: 'a required field, and bounds that are not reached',
      line: '| `spec.share` | number | required | A share. Above 0 below 1. |',
    },
    {
      name: 'a field that is bounded on one side',
      line: '| `spec.least` | integer |  | From 1 to 9007199254740991. |',
    },
    {
      name: 'a default',
      line: '| `spec.most` | integer | `3` | At most this. From -9007199254740991 to 9. |',
    },
    { name: 'a list', line: '| `spec.names` | list of string |  | Names. At most 4 items. |' },
    {
      name: 'the fields of the items of a list, and what may be chosen',
      line: '| `spec.windows[].day` | `Sat` or `Sun` | required | A day. |',
    },
    { name: 'a map', line: '| `spec.labels` | map to string |  | Labels. |' },
    { name: 'an integer or a string', line: '| `spec.cpu` | integer or string |  | A quantity. |' },
    { name: 'exactly one key', line: '| `spec.choice` | object |  | A choice. Exactly one of its keys. |' },
    {
      name: 'a pattern, whose bars do not end the cell',
      line: '| `spec.pattern` | string |  | A or b. Matches `^a\\|b$`. |',
    },
    {
      name: 'a rule, with the place that it is about',
      line: "| `spec.windows[]` | not on Sunday | `self.day != 'Sun'` |",
    },
  ];

  for (const { name, line } of rows)
    it(`shows ${name}`, () => {
      assert.ok(page.split('\n').includes(line), page);
    });

  it('leaves the rules out where there are none', () => {
    const plain = fieldsPage({ ...thing, spec: z.object({}) }, 'src/api/thing.ts');
    assert.ok(!plain.includes('## Rules'), plain);
  });
});
