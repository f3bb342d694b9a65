import assert from 'node:assert/strict';
import fc from 'fast-check';
import { certain } from '../../../../src/foundation/certain.ts';
import { readHistoryStatus } from '../../../../src/api/rebalance-history-status.ts';
import type { History, SignalMemory } from '../../../../src/rebalance/load/history.ts';
import {
  readHistory,
  writeHistory,
  type HistoryStatus,
} from '../../../../src/rebalance/load/history-status.ts';
import { weight } from '../../../../src/rebalance/weight.ts';
import { NOON } from '../../../support/rebalance.ts';

const signal: SignalMemory = {
  name: undefined,
  queryKey: 'query',
  filter: { fast: 0.1 + 0.2, slow: 1e-7, drift: -0.3, atMs: NOON, catchingUp: true, drifting: false },
  lowSamples: 2,
  probe: { metric: -1.5, share: 2 / 3, followed: 1 },
};

const bareSignal: SignalMemory = {
  name: 'queue',
  queryKey: 'other',
  filter: undefined,
  lowSamples: 0,
  probe: undefined,
};

const full: History = {
  targetKey: 'target',
  shares: [
    { atMs: NOON, share: 1 / 3, ttlMs: 60_000 },
    { atMs: NOON + 500, share: 0.1, ttlMs: 30_000 },
  ],
  reference: { weight: weight(64), changedAtMs: [NOON - 1], steeredGeneration: 7 },
  signals: [signal, { ...signal, name: 'cpu', queryKey: 'cpu' }, bareSignal],
};

describe('a history in status', () => {
  it('reads back as it was written, through JSON and the lenient reader, to the last digit', () => {
    const status = readHistoryStatus(JSON.parse(JSON.stringify(writeHistory(full))));
    assert.deepEqual(readHistory(status), full);
  });
  it('says of an additional metric under its name what it says of the first', () => {
    const { query, filter, lowSamples, probe, metrics } = writeHistory(full);
    assert.deepEqual(metrics, [
      { name: 'cpu', query: 'cpu', filter, lowSamples, probe },
      { name: 'queue', query: 'other' },
    ]);
    assert.equal(query, 'query');
  });
  it('reads back with nothing but shares', () => {
    const bare: History = {
      ...full,
      reference: undefined,
      signals: [{ ...bareSignal, name: undefined }],
    };
    assert.deepEqual(readHistory(writeHistory(bare)), bare);
  });
  it('reads back whatever the numbers are', () => {
    const fraction = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fraction, fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), (share, demand) => {
        const history: History = {
          ...full,
          shares: [{ atMs: NOON, share: share === 0 ? 0 : share, ttlMs: 1000 }],
          signals: [
            {
              ...signal,
              filter: {
                fast: demand === 0 ? 0 : demand,
                slow: 1,
                drift: 0,
                atMs: NOON,
                catchingUp: false,
                drifting: false,
              },
            },
          ],
        };
        assert.deepEqual(readHistory(writeHistory(history)), history);
      }),
      { seed: 20_261_130, numRuns: 500 },
    );
  });

  it('has every time as a string of its own', () => {
    assert.deepEqual(writeHistory(full).shares[1], {
      at: '2026-03-04T12:00:00.500Z',
      share: '0.1',
      ttlSeconds: 30,
    });
  });

  const status = writeHistory(full);
  const unreadable: readonly (readonly [name: string, status: HistoryStatus | undefined])[] = [
    ['no history', undefined],
    ['no share', { ...status, shares: [] }],
    ['a share at no time', { ...status, shares: [{ at: 'then', share: '1', ttlSeconds: 60 }] }],
    ['a share above 1', { ...status, shares: [{ at: '2026-03-04T12:00:00Z', share: '2', ttlSeconds: 60 }] }],
    [
      'a share that is no number',
      { ...status, shares: [{ at: '2026-03-04T12:00:00Z', share: ' ', ttlSeconds: 60 }] },
    ],
    [
      'a negative share',
      { ...status, shares: [{ at: '2026-03-04T12:00:00Z', share: '-1', ttlSeconds: 60 }] },
    ],
  ];
  for (const [name, broken] of unreadable) {
    it(`remembers nothing of ${name}`, () => assert.equal(readHistory(broken), undefined));
  }

  const filter = certain(status.filter, 'a filter');
  const forgotten: readonly (readonly [
    name: string,
    part: Partial<HistoryStatus>,
    key: 'filter' | 'probe' | 'reference',
  ])[] = [
    ['a filter without a number', { filter: { ...filter, fast: 'x' } }, 'filter'],
    ['a filter without a slow number', { filter: { ...filter, slow: 'x' } }, 'filter'],
    ['a filter without a drift', { filter: { ...filter, drift: '' } }, 'filter'],
    ['a filter at no time', { filter: { ...filter, at: 'then' } }, 'filter'],
    ['a probe without a metric', { probe: { metric: 'x', share: '1', followed: 1 } }, 'probe'],
    ['a probe without a share', { probe: { metric: '1', share: 'x', followed: 1 } }, 'probe'],
    ['a reference of no weight', { reference: { weight: 256 as never } }, 'reference'],
  ];
  for (const [name, part, key] of forgotten) {
    it(`forgets ${name}, and nothing else`, () => {
      const history = readHistory({ ...status, ...part });
      const [, ...additional] = full.signals;
      assert.deepEqual(
        history,
        key === 'reference'
          ? { ...full, reference: undefined }
          : { ...full, signals: [{ ...signal, [key]: undefined }, ...additional] },
      );
    });
  }

  it('forgets a change of the reference at no time, and keeps the others', () => {
    const changedAt = ['then', '2026-03-04T11:00:00.000Z'];
    const history = readHistory({ ...status, reference: { weight: weight(64), changedAt } });
    assert.deepEqual(history?.reference?.changedAtMs, [NOON - 60 * 60_000]);
  });

  const absent: readonly (readonly [name: string, raw: unknown])[] = [
    ['missing', undefined],
    ['null', null],
    ['a text', 'x'],
    ['a list', []],
    ['empty', {}],
    ['without a list of shares', { ...status, shares: 'none' }],
  ];
  for (const [name, raw] of absent) {
    it(`is absent as a whole where it is ${name}`, () => assert.equal(readHistoryStatus(raw), undefined));
  }
});
