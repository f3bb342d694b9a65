import assert from 'node:assert/strict';
import { parseRebalanceSpec } from '../../src/api/rebalance.ts';
import { rational } from '../../src/foundation/rational.ts';
import { decide } from '../../src/rebalance/decide.ts';
import { nextStatus } from '../../src/rebalance/next-status.ts';
import type { Sample } from '../../src/rebalance/sample.ts';
import type { RebalanceSpec } from '../../src/rebalance/spec.ts';
import type { RebalanceStatus } from '../../src/rebalance/status.ts';
import { weight } from '../../src/rebalance/weight.ts';
import { createPlant, type PlantOptions } from '../../src/cli/simulate/plant.ts';

export const TARGET = 1000;
const INTERVAL_MS = 60_000;
const START_MS = Date.parse('2026-03-04T12:00:00Z');

/** Who sets the weight: asked once at each evaluation. */
export interface Controller {
  /** The weight wanted for what the query answers, at a time in intervals. */
  next(metric: number, weightInDns: number, interval: number): number;
}

export interface LoopOptions extends PlantOptions {
  readonly intervals: number;
  /** What the query measures; the load of the reference site by default. */
  readonly signal?: 'load' | 'demand';
  /** The query answers what was scraped last, so often and so late, in intervals; at every tick and at once by default. */
  readonly scrape?: { readonly every: number; readonly delay: number };
  /** Times of the evaluations, in intervals; each one by default. Two equal ones are a doubled evaluation. */
  readonly evaluateAt?: readonly number[];
}

/** What a closed loop did. */
export interface Run {
  /** Our weight after each tick. */
  readonly weights: readonly number[];
  /** The reference site's true load at each tick. */
  readonly loads: readonly number[];
  readonly ticksPerInterval: number;
}

/** Closes the loop around a plant. */
export function runLoop(options: LoopOptions, controller: Controller): Run {
  const { intervals, ticksPerInterval = 1 } = options;
  const plant = createPlant(options);
  const times = options.evaluateAt ?? Array.from({ length: intervals }, (_, index) => index + 1);
  const due = times.map((time) => Math.round(time * ticksPerInterval));
  const weights: number[] = [];
  const loads: number[] = [];
  const measured: number[] = [];
  for (let tick = 1; tick <= intervals * ticksPerInterval; tick += 1) {
    plant.tick();
    loads.push(plant.referenceLoad());
    measured.push(options.signal === 'demand' ? plant.demand() : plant.metric());
    const evaluations = due.filter((at) => at === tick).length;
    for (let count = 0; count < evaluations; count += 1) {
      const next = controller.next(
        measured[scrapedAt(tick, options)] ?? NaN,
        plant.published(),
        tick / ticksPerInterval,
      );
      if (next !== plant.published()) plant.publish(next);
    }
    weights.push(plant.published());
  }
  return { weights, loads, ticksPerInterval };
}

/** Which of the ticks before a tick the query answers of, counted from 0. */
function scrapedAt(tick: number, { scrape, ticksPerInterval = 1 }: LoopOptions): number {
  if (scrape === undefined) return tick - 1;
  const every = scrape.every * ticksPerInterval;
  const scraped = Math.floor((tick - 1) / every) * every;
  return Math.max(0, Math.round(scraped - scrape.delay * ticksPerInterval));
}

export interface OursOptions {
  readonly referenceWeight: number;
  /** What the controller believes, in intervals. */
  readonly ttl: number;
  readonly window: number;
  readonly policy?: Readonly<Record<string, unknown>>;
}

/** The spec of the tests, as a file has it: the defaults of signal load. */
export function wireSpec({ window, policy = {} }: Pick<OursOptions, 'window' | 'policy'>): object {
  return {
    interval: '1m',
    policy: { targettracking: { targetValue: TARGET, signal: 'load', ...policy } },
    target: {
      route53: {
        hostedZoneID: 'Z0123456789',
        resource: { name: 'example.com', type: 'A', identifier: 'aws' },
      },
    },
    metrics: {
      prometheus: { address: 'http://prometheus:9090', query: 'scalar(load)', window: `${window * 60}s` },
    },
  };
}

function domainSpec(options: OursOptions): RebalanceSpec {
  const parsed = parseRebalanceSpec(wireSpec(options));
  assert.ok(parsed.ok, 'the spec of the tests is valid');
  return parsed.value.spec;
}

/** Our decision, folded over its own status as in production: nothing is carried over but what stands in status. */
export function ours(options: OursOptions): Controller {
  const spec = domainSpec(options);
  let status: RebalanceStatus = {};
  const ttlSeconds = options.ttl * 60;
  return {
    next(metric, weightInDns, interval) {
      const nowMs = START_MS + Math.round(interval * INTERVAL_MS);
      const sample: Sample = {
        kind: 'Usable',
        value: rational(metric),
        text: String(metric),
        fromNoData: false,
      };
      const samples = { sample, additionalSamples: [], guardSamples: [] };
      const set = {
        own: {
          records: [{ identifier: 'aws', weight: weight(weightInDns), ttlSeconds, healthChecked: false }],
          total: weightInDns,
        },
        others: [
          { identifier: 'onprem', weight: weight(options.referenceWeight), ttlSeconds, healthChecked: false },
        ],
      };
      const decision = decide({
        spec,
        generation: 1,
        status,
        set,
        ...samples,
        intervalMs: INTERVAL_MS,
        nowMs,
        writeForbidden: undefined,
      });
      const { effect } = decision;
      const outcome =
        effect.kind === 'WriteWeight'
          ? ({ ...effect, kind: 'Accepted', change: { id: 'C1', status: 'INSYNC' } } as const)
          : ({ kind: 'NotWritten', because: effect.because } as const);
      const attempt = { kind: 'Decided', spec, ...samples, set, decision, outcome } as const;
      // Through JSON, as the API server keeps it.
      const next = nextStatus({ previous: status, generation: 1, attempt, notices: [], nowMs });
      status = JSON.parse(JSON.stringify(next)) as RebalanceStatus;
      return effect.kind === 'WriteWeight' ? effect.weight : weightInDns;
    },
  };
}

/** The original's law, taken for a load. */
export function lawAsIs(base: number): Controller {
  return { next: (metric) => clamp(Math.ceil(base * Math.max(0, metric / TARGET - 1))) };
}

/** HPA's rule on the whole set: (b + w') = (b + w) x m / T. */
export function hpaRule(base: number): Controller {
  return { next: (metric, own) => clamp(Math.round(((base + own) * metric) / TARGET - base)) };
}

function clamp(value: number): number {
  return Math.min(255, Math.max(0, value));
}

/** So many intervals at the end of a run must be calm for it to have settled. */
const CALM_INTERVALS = 20;

/** Intervals from `from` until the load stays within a tenth of the target; undefined: it never does. */
export function settledAfter({ loads, ticksPerInterval }: Run, from: number): number | undefined {
  const last = loads.findLastIndex((load) => Math.abs(load - TARGET) > TARGET / 10);
  if (last >= loads.length - CALM_INTERVALS * ticksPerInterval) return undefined;
  return Math.max(0, (last + 1) / ticksPerInterval - from);
}

export interface Moves {
  readonly writes: number;
  readonly reversals: number;
}

/** How often the weight moved, and how often it turned round, within a range of ticks. */
export function movesOf(weights: readonly number[], from = 0, to = weights.length): Moves {
  let writes = 0;
  let reversals = 0;
  let direction = 0;
  for (let tick = Math.max(1, from); tick < to; tick += 1) {
    const step = Math.sign((weights[tick] ?? 0) - (weights[tick - 1] ?? 0));
    if (step === 0) continue;
    writes += 1;
    if (direction !== 0 && step !== direction) reversals += 1;
    direction = step;
  }
  return { writes, reversals };
}
