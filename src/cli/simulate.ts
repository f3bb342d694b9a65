import { basename } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { readSettings } from '../config/parse.ts';
import type { Settings } from '../config/settings.ts';
import { err, ok, type Result } from '../foundation/result.ts';
import type { Grants } from '../rebalance/notices.ts';
import type { RebalanceSpec } from '../rebalance/spec.ts';
import { MAX_WEIGHT } from '../rebalance/weight.ts';
import type { CliCommand, CommandHelp } from './command-help.ts';
import { NO_UID } from './manifest.ts';
import { integerBetween, numberBetween } from './option-values.ts';
import { createProgress } from './progress.ts';
import { readObject, toObject } from './replay/object.ts';
import type { ReplayedObject } from './replay/replay.ts';
import type { Report } from './report/report.ts';
import { REPORT_FORMATS, writeReport, type ReportFormat } from './report/write-report.ts';
import { parseDemand, type Demand } from './simulate/demand.ts';
import { simulate, type Named } from './simulate/simulate.ts';

const HELP: CommandHelp = {
  notes: `A demand is constant:A, step:A:B@T, pulse:A:B@T-U, ramp:A:B@T-U or sine:A:B@P, with times in intervals of the spec.
Without -f the spec is: target 1000, signal load, window 1m, interval 1m. The metric measures what the signal of the
first spec says, for the one to compare too. Interval 0 is a Monday, 00:00 UTC. The same line gives the same numbers.

Each additional metric of the spec measures a demand of its own: --metric-demand gives it, by default it is as far from its
target as the first. A guard has the value of --guard, a shape too, by default 1.`,
  exits: [
    [0, 'simulated'],
    [1, 'an error'],
  ],
  examples: [
    'counterpoise simulate',
    'counterpoise simulate -f rebalance.yaml --demand ramp:1000:3000@50-70 --ttl 300 -o html --out simulation.html',
    'counterpoise simulate --ttl 180 --client-ttl 300 --sticky 0.2 --noise 0.1',
    'counterpoise simulate -f load.yaml --compare law.yaml --demand sine:500:3000@1440 --intervals 2880',
    'counterpoise simulate -f guards.yaml --metric-demand queue=pulse:100:900@60-90 --guard errors=step:1:0@70',
  ],
};

interface Options {
  readonly filename?: string;
  readonly compare?: string;
  readonly demand: Demand;
  readonly metricDemand: ReadonlyMap<string, Demand>;
  readonly guard: ReadonlyMap<string, Demand>;
  readonly intervals: number;
  readonly referenceWeight: number;
  readonly startWeight: number;
  readonly ttl: number;
  readonly clientTtl?: number;
  readonly sticky: number;
  readonly noise: number;
  readonly seed: number;
  readonly output: ReportFormat;
  readonly out?: string;
}

/** `simulate`: what a Rebalance does in a world of two sites. */
export const SIMULATE: CliCommand = { create: simulateCommand, help: HELP };

function simulateCommand(): Command {
  const command = new Command('simulate')
    .summary('let a Rebalance steer two simulated sites')
    .description('Shows what a Rebalance does with two simulated sites behind a weighted record.')
    .option('-f, --filename <file>', 'file with one Rebalance; - is standard input')
    .option('--compare <file>', 'another Rebalance, on the same sites')
    .addOption(
      new Option('--demand <shape>', 'total demand over time (default: step:1000:3000@50)').argParser(
        readDemand,
      ),
    )
    .addOption(
      new Option('--metric-demand <name=shape>', 'demand of an additional metric; may be repeated')
        .argParser(addNamedDemand)
        .default(NO_SHAPES, 'as far from its target as that of the first'),
    )
    .addOption(
      new Option('--guard <name=shape>', 'value of a guard over time; may be repeated')
        .argParser(addNamedDemand)
        .default(NO_SHAPES, '1'),
    )
    .option('--intervals <n>', 'length', integerBetween(2, 1_000_000), 200)
    .option('--reference-weight <n>', 'weight of the reference record', integerBetween(1, MAX_WEIGHT), 64)
    .option('--start-weight <n>', 'our weight at the start', integerBetween(0, MAX_WEIGHT), 0)
    .option('--ttl <s>', 'TTL of the record in seconds', integerBetween(0, 86_400), 60)
    .option(
      '--client-ttl <s>',
      'TTL that clients keep to (default: that of the record)',
      integerBetween(0, 86_400),
    )
    .option('--sticky <part>', 'part of the clients who keep to ten times that', numberBetween(0, 1), 0)
    .option('--noise <part>', 'standard deviation of a sample, relative to it', numberBetween(0, 10), 0)
    .option('--seed <n>', 'of the noise', integerBetween(0, 4_294_967_295), 1)
    .addOption(
      new Option('-o, --output <format>', 'form of the output').choices(REPORT_FORMATS).default('table'),
    )
    .option('--out <file>', 'file for the output (default: standard output)');
  return command.action((given: Omit<Options, 'demand'> & Partial<Pick<Options, 'demand'>>) => {
    const settings = readSettings({}, process.env);
    if (!settings.ok) return command.error(settings.error);
    const options = { ...given, demand: given.demand ?? readDemand('step:1000:3000@50') };
    const report = run(options, settings.value);
    const written = report.ok ? writeReport(report.value, options.output, options.out) : report;
    if (!written.ok) command.error(written.error);
  });
}

const NO_SHAPES: ReadonlyMap<string, Demand> = new Map();

function addNamedDemand(text: string, before: ReadonlyMap<string, Demand>): ReadonlyMap<string, Demand> {
  const [, name, shape] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  if (name === undefined || shape === undefined)
    throw new InvalidArgumentError('Expected a name and a shape, such as queue=step:100:300@50.');
  return new Map([...before, [name, readDemand(shape)]]);
}

function readDemand(text: string): Demand {
  const demand = parseDemand(text);
  if (!demand.ok) throw new InvalidArgumentError(`${demand.error}.`);
  return demand.value;
}

function run(options: Options, settings: Settings): Result<Report, string> {
  const grants = { minIntervalMs: settings.rebalance.minIntervalMs, hookBudgetMs: settings.hookBudgetMs };
  const { filename, compare, intervals, ttl: ttlSeconds } = options;
  const subject =
    filename === undefined
      ? defaultObject(grants)
      : named(filename, readObject('--filename', filename, grants));
  if (!subject.ok) return subject;
  const other =
    compare === undefined ? ok(undefined) : named(compare, readObject('--compare', compare, grants));
  if (!other.ok) return other;
  const specs = [subject.value, ...(other.value === undefined ? [] : [other.value])].map(
    ({ object }) => object.spec,
  );
  const stranger =
    strangerTo(specs, 'additionalMetrics', '--metric-demand', options.metricDemand) ??
    strangerTo(specs, 'guards', '--guard', options.guard);
  if (stranger !== undefined) return err(stranger);
  const all = intervals * (other.value === undefined ? 1 : 2);
  const progress = createProgress(process.stderr, 'simulating', all);
  const clientTtlSeconds = options.clientTtl ?? ttlSeconds;
  const shapes = { metricDemands: options.metricDemand, guardValues: options.guard };
  const objects = { subject: subject.value, compare: other.value };
  const input = { ...options, ...shapes, ...objects, ttlSeconds, clientTtlSeconds };
  const report = simulate(input, (done) => progress.show(done, all));
  progress.clear();
  return ok(report);
}

/** What is wrong with a flag that names what no spec has; undefined: nothing. */
function strangerTo(
  specs: readonly RebalanceSpec[],
  list: 'additionalMetrics' | 'guards',
  flag: string,
  given: ReadonlyMap<string, Demand>,
): string | undefined {
  const known = new Set(specs.flatMap((spec) => spec[list].map(({ name }) => name)));
  const stranger = [...given.keys()].find((name) => !known.has(name));
  if (stranger === undefined) return undefined;
  const names = known.size === 0 ? 'of which there are none' : `which are ${[...known].join(', ')}`;
  return `${flag} "${stranger}": expected a name in spec.${list}, ${names}`;
}

function named(path: string, object: Result<ReplayedObject, string>): Result<Named, string> {
  return object.ok ? ok({ name: basename(path), object: object.value }) : object;
}

/** The defaults of signal load. */
function defaultObject(grants: Grants): Result<Named, string> {
  const spec = {
    policy: { targettracking: { targetValue: 1000, signal: 'load' } },
    target: {
      route53: {
        hostedZoneID: 'Z0000000000',
        resource: { name: 'example.com', type: 'A', identifier: 'own' },
      },
    },
    metrics: { prometheus: { address: 'http://prometheus:9090', query: 'load', window: '1m' } },
  };
  const metadata = { name: 'defaults', namespace: 'default', uid: NO_UID, generation: 1 };
  const object = toObject({ metadata, spec }, grants);
  return object.ok ? ok({ name: 'defaults', object: object.value }) : object;
}
