import { basename } from 'node:path';
import { Command, Option } from 'commander';
import { defineFlags, givenFlags, readSettings } from '../config/parse.ts';
import type { Settings } from '../config/settings.ts';
import { ok, type Result } from '../foundation/result.ts';
import { createSecretReader } from '../hooks/secret-reader.ts';
import { createLogger } from '../observability/log.ts';
import { createPrometheus } from '../rebalance/metrics/prometheus.ts';
import { MAX_WEIGHT } from '../rebalance/weight.ts';
import { backtest, type Named } from './backtest/backtest.ts';
import type { RangeSource } from './backtest/fetch-series.ts';
import { readMeasurements, type SourceOptions } from './backtest/measurements.ts';
import { columnsOf } from './backtest/series.ts';
import { connectKubernetes } from './deps.ts';
import type { CliCommand, CommandHelp } from './command-help.ts';
import { durationMs, integerBetween } from './option-values.ts';
import { createProgress } from './progress.ts';
import { readObject } from './replay/object.ts';
import type { Report } from './report/report.ts';
import { REPORT_FORMATS, writeReport, type ReportFormat } from './report/write-report.ts';

const HELP: CommandHelp = {
  notes: `The decisions are those of the functions that run in production. With signal demand the metric is taken as it was. With
signal load it answered to the weights published then: they are needed, as a column weight or by --weights, and the
demand behind the load is reconstructed from them. dryRun and suspend of the file do not count.

Additional metrics and guards are asked for too; in a file each is a column additionalMetrics.<name> or guards.<name>.

--file is the answer of Prometheus' /api/v1/query_range as JSON, or CSV with the columns time,value[,weight] (a time is
RFC 3339 or Unix seconds). --weights is the same for weights: CSV with time,weight, or the JSON of the series
rebalancer_actual. A time on the line is RFC 3339, Unix seconds, now, or a duration ago such as 168h.`,
  exits: [
    [0, 'replayed'],
    [1, 'an error'],
  ],
  examples: [
    'counterpoise backtest -f rebalance.yaml --prometheus http://127.0.0.1:9090 --from 168h -o html --out week.html',
    'counterpoise backtest -f rebalance.yaml --file last-week.csv --reference-weight 64',
    'counterpoise backtest -f load.yaml --file load.json --weights weights.json --compare calmer.yaml -o csv',
  ],
};

interface Options extends SourceOptions {
  readonly filename: string;
  readonly compare?: string;
  readonly referenceWeight?: number;
  readonly startWeight?: number;
  readonly ttl: number;
  readonly output: ReportFormat;
  readonly out?: string;
}

/** `backtest`: what a Rebalance would have done with what was measured. */
export const BACKTEST: CliCommand = { create: backtestCommand, help: HELP };

function backtestCommand(): Command {
  const command = new Command('backtest')
    .summary('replay past metrics through a Rebalance')
    .description('Shows what a Rebalance would have done with the metrics of the past.')
    .requiredOption('-f, --filename <file>', 'file with one Rebalance; - is standard input')
    .option('--file <file>', 'the metric as JSON of a range query or as CSV')
    .option('--prometheus <url>', "ask this Prometheus for the spec's query")
    .option('--from <time>', 'start of the range', '24h')
    .option('--to <time>', 'end of the range', 'now')
    .option('--step <duration>', "step of the range (default: the spec's interval)", durationMs)
    .option('--weights <file>', 'the weights that were published, as JSON or CSV')
    .option(
      '--reference-weight <n>',
      "weight of the reference record (default: the spec's baseValue)",
      integerBetween(1, MAX_WEIGHT),
    )
    .option(
      '--start-weight <n>',
      'our weight at the start (default: the one published then, else 0)',
      integerBetween(0, MAX_WEIGHT),
    )
    .option('--ttl <s>', 'TTL of the record in seconds', integerBetween(0, 86_400), 60)
    .option('--compare <file>', 'another Rebalance, over the same metrics')
    .addOption(
      new Option('-o, --output <format>', 'form of the output').choices(REPORT_FORMATS).default('table'),
    )
    .option('--out <file>', 'file for the output (default: standard output)');
  return defineFlags(command, ['Kubernetes']).action(async (options: Options) => {
    const settings = readSettings(givenFlags(command), process.env);
    if (!settings.ok) return command.error(settings.error);
    const report = await run(options, settings.value);
    const written = report.ok ? writeReport(report.value, options.output, options.out) : report;
    if (!written.ok) command.error(written.error);
  });
}

async function run(options: Options, settings: Settings): Promise<Result<Report, string>> {
  const grants = { minIntervalMs: settings.rebalance.minIntervalMs, hookBudgetMs: settings.hookBudgetMs };
  const subject = readObject('--filename', options.filename, grants);
  if (!subject.ok) return subject;
  const compare =
    options.compare === undefined ? undefined : readObject('--compare', options.compare, grants);
  if (compare?.ok === false) return compare;

  const { spec, intervalMs } = subject.value;
  const fetching = createProgress(process.stderr, 'asking Prometheus', Infinity);
  const series = await readMeasurements(options, {
    metric: spec.metric,
    columns: columnsOf([spec, ...(compare === undefined ? [] : [compare.value.spec])]),
    intervalMs,
    nowMs: Date.now(),
    source: () => sourceFor(settings),
    onChunk: (done, all) => fetching.show(done, all),
  });
  fetching.clear();
  if (!series.ok) return series;

  const { points, weights: published, columns } = series.value;
  const all = points.length * (compare === undefined ? 1 : 2);
  const progress = createProgress(process.stderr, 'replaying', all);
  const { referenceWeight, startWeight, ttl: ttlSeconds } = options;
  const input = { points, columns, published, referenceWeight, startWeight, ttlSeconds };
  const named = (path: string, object: Named['object']): Named => ({ name: basename(path), object });
  const report = backtest(
    {
      ...input,
      subject: named(options.filename, subject.value),
      compare: compare === undefined ? undefined : named(options.compare ?? '', compare.value),
    },
    (done) => progress.show(done, all),
  );
  progress.clear();
  return report;
}

/**
 * Prometheus asked and Secrets of the spec read as the service would; the file's namespace is not known to be theirs, so any
 * may be named.
 */
async function sourceFor(settings: Settings): Promise<Result<RangeSource, string>> {
  const silent = createLogger('silent');
  const kubernetes = await connectKubernetes(settings.kubernetes, silent);
  if (!kubernetes.ok) return kubernetes;
  const secrets = createSecretReader(kubernetes.value, { namespace: 'default', allowCrossNamespace: true });
  return ok({ prometheus: createPrometheus({ allowed: settings.rebalance.prometheusAllowed }), secrets });
}
