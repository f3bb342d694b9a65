import assert from 'node:assert/strict';
import { planBatch, splitRefused, type Candidate } from '../../../src/rebalance/targets/route53-batch.ts';

interface Named extends Candidate {
  readonly id: string;
}

/** A change of one weighted A record with `values` addresses of `length` characters. */
function change(
  id: string,
  { values = 1, length = 9, name = `${id}.example.com.`, group = undefined as symbol | undefined } = {},
): Named {
  const ResourceRecords = Array.from({ length: values }, () => ({ Value: 'x'.repeat(length) }));
  return { id, group, records: [{ Name: name, Type: 'A', SetIdentifier: 'aws', ResourceRecords }] };
}

function alias(id: string): Named {
  return { id, group: undefined, records: [{ Name: id, Type: 'A', SetIdentifier: 'aws' }] };
}

function many(count: number, make: (id: string) => Named): readonly Named[] {
  return Array.from({ length: count }, (_, index) => make(`r${index}`));
}

function ids(batch: readonly Named[]): readonly string[] {
  return batch.map(({ id }) => id);
}

describe('the batch of a zone', () => {
  const other = Symbol('other');
  const rows: readonly {
    readonly name: string;
    readonly waiting: readonly Named[];
    readonly batch: readonly string[];
  }[] = [
    { name: 'is empty where nothing waits', waiting: [], batch: [] },
    {
      name: 'takes all that waits, in its order',
      waiting: [change('b'), change('a'), alias('c')],
      batch: ['b', 'a', 'c'],
    },
    {
      name: 'leaves a second change of one record to the next batch, however its name is spelled',
      waiting: [change('a'), change('again', { name: 'A.Example.com' }), change('b')],
      batch: ['a', 'b'],
    },
    {
      name: 'takes only the group of the first',
      waiting: [change('a', { group: other }), change('b'), change('c', { group: other })],
      batch: ['a', 'c'],
    },
    {
      name: 'fills up to 32,000 characters, which an UPSERT counts twice, and takes what still fits',
      waiting: [
        change('half', { length: 8_000 }),
        change('more', { length: 8_001 }),
        change('rest', { length: 8_000 }),
      ],
      batch: ['half', 'rest'],
    },
    {
      name: 'sends a change that is too large by itself, for Route 53 to say so',
      waiting: [change('huge', { length: 40_000 }), change('small')],
      batch: ['huge'],
    },
  ];
  for (const { name, waiting, batch } of rows) {
    it(name, () => assert.deepEqual(ids(planBatch(waiting)), batch));
  }

  it('holds 1,000 elements, which an UPSERT counts twice: 500 records of one value, or aliases', () => {
    assert.equal(planBatch(many(600, (id) => change(id, { length: 1 }))).length, 500);
    assert.equal(planBatch(many(600, alias)).length, 500);
    assert.equal(planBatch(many(600, (id) => change(id, { length: 1, values: 3 }))).length, 166);
  });
});

describe('a refused batch', () => {
  const batch = [change('a'), change('b'), change('c'), change('d')];
  const rows: readonly { readonly name: string; readonly message: string; readonly parts: string[][] }[] = [
    {
      name: 'sends what Route 53 names alone, and the others together',
      message:
        "[Tried to delete resource record set [name='b.example.com.', type='A', set identifier='aws'] but it was not found]",
      parts: [['a', 'c', 'd'], ['b']],
    },
    {
      name: 'sends each of several that are named alone',
      message: "[bad aws 'a.example.com.', bad aws 'D.example.com']",
      parts: [['b', 'c'], ['a'], ['d']],
    },
    {
      name: 'halves where nobody is named',
      message: 'refused',
      parts: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    },
    {
      name: 'halves where a longer name has one of ours in it',
      message: "[bad aws 'aa.example.com.']",
      parts: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    },
    {
      name: 'halves where all are named',
      message: 'aws: a.example.com b.example.com c.example.com d.example.com',
      parts: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    },
  ];
  for (const { name, message, parts } of rows) {
    it(name, () => assert.deepEqual(splitRefused(batch, message).map(ids), parts));
  }
});
