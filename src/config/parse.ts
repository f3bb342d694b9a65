import { delimiter } from 'node:path';
import { Command, CommanderError, Help, Option } from 'commander';
import { oneLine } from '../foundation/one-line.ts';
import { err, ok, type Result } from '../foundation/result.ts';
import { readAccess } from './access.ts';
import { environmentTwin, FLAG_GROUPS, type Flag, type FlagGroup } from './flag.ts';
import { FLAGS, flagRows, type FlagName, type FlagValues } from './flags.ts';
import type { KubernetesAccess, Settings } from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What stood on the line, by flag: every occurrence, unparsed. */
export type GivenFlags = Readonly<Partial<Record<FlagName, readonly string[]>>>;

/** Adds the flags of some groups to a command, grouped for its help; `givenFlags` reads what was given. */
export function defineFlags(command: Command, groups: readonly FlagGroup[] = FLAG_GROUPS): Command {
  for (const row of flagRows().filter(({ group }) => groups.includes(group))) {
    const value = row.type === 'boolean' ? '[=true|false]' : `<${row.type}>`;
    const notes = [
      ...(row.default === undefined ? [] : [`default: ${row.default}`]),
      ...(row.repeatable ? ['repeatable'] : []),
    ];
    const note = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
    const option = new Option(`--${row.name} ${value}`, `${row.description}${note}`);
    if (row.type === 'boolean') option.preset('true');
    option.argParser((text: string, before: readonly string[] | undefined) => [...(before ?? []), text]);
    command.addOption(option.helpGroup(`${row.group}:`));
  }
  // A flag's description says its default; commander would add what a boolean without a value means.
  const usual = new Help();
  return command.configureHelp({
    optionDescription: (option) =>
      option.presetArg === undefined ? usual.optionDescription(option) : option.description,
  });
}

/** The flags that a parsed command was given. */
export function givenFlags(command: Command): GivenFlags {
  const given = command.options.map((option) => [
    option.name(),
    command.getOptionValue(option.attributeName()) as unknown,
  ]);
  return Object.fromEntries(given.filter(([, texts]) => Array.isArray(texts))) as GivenFlags;
}

/**
 * Flags and environment to settings: the line wins over the environment, the environment over the default; an empty
 * variable counts as absent, except a boolean's. Pure: the error is the one line that the process should die with,
 * naming the flag or variable, what it held and what was expected.
 */
export function parseSettings(argv: readonly string[], env: Environment): Result<Settings, string> {
  const command = defineFlags(new Command('serve'))
    .helpOption(false)
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  try {
    command.parse(argv, { from: 'user' });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    return err(refusal(thrown));
  }
  return readSettings(givenFlags(command), env);
}

/** commander's complaint about a line, as our one line. */
function refusal(thrown: CommanderError): string {
  return `${oneLine(thrown.message.replace(/^error: /, '').replace(/\.$/, ''))}; see --help`;
}

/** The settings of flags that somebody else took off the line. */
export function readSettings(given: GivenFlags, env: Environment): Result<Settings, string> {
  const values: Partial<Record<string, unknown>> = {};
  for (const [name, flag] of Object.entries(FLAGS) as [FlagName, Flag<unknown>][]) {
    const read = readFlag(name, flag, given, env);
    if (!read.ok) return read;
    values[name] = read.value;
  }
  return toSettings(values as FlagValues, env);
}

function readFlag(
  name: FlagName,
  flag: Flag<unknown>,
  given: GivenFlags,
  env: Environment,
): Result<unknown, string> {
  const fromLine = given[name];
  const variable = environmentTwin(name);
  const fromEnvironment = env[variable];
  const isSet = fromEnvironment !== undefined && (fromEnvironment !== '' || flag.type === 'boolean');
  const all = fromLine ?? (isSet ? [fromEnvironment] : []);
  const texts = flag.repeatable ? all : all.slice(-1);
  const read = flag.read(texts);
  if (read.ok) return read;
  const source = fromLine === undefined ? variable : `--${name}`;
  return err(`${source}="${oneLine(texts.join(' '), 80)}" is refused: expected ${read.error}`);
}

function toSettings(values: FlagValues, env: Environment): Result<Settings, string> {
  const access = readAccess(values);
  if (!access.ok) return access;
  return ok({
    listen: values.listen,
    hooks: values.hooks,
    hookBudgetMs: values['hook-budget'],
    bodyLimitBytes: values['body-limit'],
    maxConcurrentSyncs: values['max-concurrent-syncs'],
    shutdownGraceMs: values['shutdown-grace'],
    logLevel: values['log-level'],
    access: access.value,
    kubernetes: kubernetesAccess(values, env),
    balancer: {
      enableSecurityContext: values['enable-security-context'],
      enablePrometheusScrapeAnnotations: values['enable-prometheus-scrape-annotations'],
      imagePullPolicy: values['image-pull-policy'],
      schedulerName: values['scheduler-name'],
      nodeSelector: values['balancerd-node-selector'],
      affinity: values['balancerd-affinity'],
      tolerations: values['balancerd-toleration'],
      defaultResources: values['balancerd-default-resources'],
      defaultCertificateSpecs: values['default-certificate-specs'],
      environmentdSqlPort: values['environmentd-sql-port'],
      environmentdHttpPort: values['environmentd-http-port'],
      balancerdSqlPort: values['balancerd-sql-port'],
      balancerdHttpPort: values['balancerd-http-port'],
      balancerdInternalHttpPort: values['balancerd-internal-http-port'],
    },
    rebalance: {
      observeOnly: values['observe-only'],
      verifyParent: values['verify-parent'],
      minIntervalMs: values['min-interval'],
      allowCrossNamespaceSecrets: values['allow-cross-namespace-secrets'],
      prometheusAllowed: values['prometheus-allow'],
      route53Endpoint: values['route53-endpoint'],
      route53RatePerSecond: values['route53-rate'],
      route53ListWindowMs: values['route53-list-window'],
    },
  });
}

/**
 * kubectl's order: the flag, a file, then KUBECONFIG, a list of files as PATH is one, then the cluster around the process
 * (which sets the service's host).
 */
function kubernetesAccess(values: FlagValues, env: Environment): KubernetesAccess {
  if (!values.kubernetes) return { kind: 'None' };
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  const paths = values.kubeconfig === undefined ? listed : [values.kubeconfig];
  if (paths.length > 0) return { kind: 'Kubeconfig', paths };
  return (env['KUBERNETES_SERVICE_HOST'] ?? '') === '' ? { kind: 'None' } : { kind: 'InCluster' };
}
