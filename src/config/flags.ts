import type { HookName } from './settings.ts';
import { parseDefaultCertificateSpecs } from '../api/certificate-spec.ts';
import { parseDefaultResources } from '../api/resource-requirements.ts';
import type { DefaultCertificateSpecs, ImagePullPolicy } from '../balancer/settings.ts';
import { ok, type Result } from '../foundation/result.ts';
import type { JsonObject } from '../kubernetes/objects.ts';
import type { AllowedAddress } from '../rebalance/metrics/address-policy.ts';
import {
  parseAllowedAddresses,
  parseBoolean,
  parseBytes,
  parseChoice,
  parseDurationBetween,
  parseHttpUrl,
  parseIntegerBetween,
  parseJsonObject,
  parseJsonObjects,
  parseKeyValues,
  parseListenAddress,
  parsePort,
  parseSetOf,
  parseText,
  type ParseText,
} from './values.ts';

/** Where a flag stands in `--help` and in docs/reference/flags.md. */
export const FLAG_GROUPS = ['Service', 'Access', 'Kubernetes', 'Rebalance', 'Balancer'] as const;
export type FlagGroup = (typeof FLAG_GROUPS)[number];

/**
 * One flag. Its environment twin follows from its name (`environmentTwin`), its default is a text read by the same
 * parser as the user's, so that what the reference says and what the service does cannot differ.
 */
export interface Flag<T> {
  readonly group: FlagGroup;
  /** How the value is written, for `--help`: `host:port`, `duration`, `json`, ... */
  readonly type: string;
  /** undefined: nothing is set. */
  readonly default: string | undefined;
  readonly description: string;
  /** May be given several times; the environment twin holds all of them in the form that `type` says. */
  readonly repeatable: boolean;
  /** The texts of the winning source (line or environment), none where nothing was given; the error follows "expected". */
  readonly read: (texts: readonly string[]) => Result<T, string>;
}

export type FlagName = keyof typeof FLAGS;

/** The value of every flag, by its name. */
export type FlagValues = {
  readonly [Name in FlagName]: (typeof FLAGS)[Name] extends Flag<infer T> ? T : never;
};

/** `--hook-budget` has the twin `COUNTERPOISE_HOOK_BUDGET`. */
export function environmentTwin(flag: string): string {
  return `COUNTERPOISE_${flag.toUpperCase().replaceAll('-', '_')}`;
}

type FlagText = Pick<Flag<unknown>, 'group' | 'type' | 'description'>;

/** A flag that always has a value; given twice on the line, the last one holds. */
function required<T>(text: FlagText & { readonly default: string }, parse: ParseText<T>): Flag<T> {
  return { ...text, repeatable: false, read: (texts) => parse(texts.at(-1) ?? text.default) };
}

function optional<T>(text: FlagText, parse: ParseText<T>): Flag<T | undefined> {
  const read = (texts: readonly string[]): Result<T | undefined, string> => {
    const last = texts.at(-1);
    return last === undefined ? ok(undefined) : parse(last);
  };
  return { ...text, default: undefined, repeatable: false, read };
}

function boolean(text: Omit<FlagText, 'type'>, byDefault: boolean): Flag<boolean> {
  return required({ ...text, type: 'boolean', default: String(byDefault) }, parseBoolean);
}

function port(text: Omit<FlagText, 'type' | 'group'>, byDefault: number): Flag<number> {
  return required({ ...text, group: 'Balancer', type: 'port', default: String(byDefault) }, parsePort);
}

/** A flag whose texts each give several items; `combine` makes one value of all of them. */
function repeatable<Item, T>(
  text: FlagText,
  parse: ParseText<readonly Item[]>,
  combine: (items: readonly Item[]) => T,
): Flag<T> {
  const read = (texts: readonly string[]): Result<T, string> => {
    const items: Item[] = [];
    for (const each of texts) {
      const parsed = parse(each);
      if (!parsed.ok) return parsed;
      items.push(...parsed.value);
    }
    return ok(combine(items));
  };
  return { ...text, default: undefined, repeatable: true, read };
}

const IMAGE_PULL_POLICIES: Readonly<Record<string, ImagePullPolicy>> = {
  always: 'Always',
  'if-not-present': 'IfNotPresent',
  never: 'Never',
};

const LOG_LEVELS = { debug: 'debug', info: 'info', warn: 'warn', error: 'error' } as const;

const HOOK_NAMES: readonly HookName[] = ['balancer', 'rebalance'];

/**
 * Every flag of the service: the one table behind parsing, `--help` and docs/reference/flags.md. The Balancer group has
 * the names and defaults of orchestratord, so that its arguments can be carried over as they are.
 */
export const FLAGS = {
  listen: required(
    {
      group: 'Service',
      type: 'host:port',
      default: '0.0.0.0:8080',
      description: 'Address to serve on; port 0 takes a free one, which the log names.',
    },
    parseListenAddress,
  ),
  hooks: required(
    {
      group: 'Service',
      type: 'names',
      default: 'balancer,rebalance',
      description: 'Which hooks this process serves, separated by commas.',
    },
    parseSetOf(HOOK_NAMES),
  ),
  'hook-budget': required(
    {
      group: 'Service',
      type: 'duration',
      default: '8s',
      description:
        "Time for one sync with all its outside calls; keep it below Metacontroller's webhook timeout. 3s of it are kept for Route 53.",
    },
    // Below this a query of Prometheus would have no time at all.
    parseDurationBetween(4_000, 600_000, 'from 4s to 10m such as 8s'),
  ),
  'body-limit': required(
    {
      group: 'Service',
      type: 'size',
      default: '32MiB',
      description: 'Largest request body; a parent with many children is megabytes.',
    },
    parseBytes,
  ),
  'max-concurrent-syncs': required(
    {
      group: 'Service',
      type: 'number',
      default: '256',
      description:
        "Syncs that may run at a time, above the sum of Metacontroller's workers; one more is answered 429 and comes again.",
    },
    parseIntegerBetween(1, 10_000),
  ),
  'shutdown-grace': required(
    {
      group: 'Service',
      type: 'duration',
      default: '20s',
      description: 'How long running syncs may take to finish after SIGTERM.',
    },
    parseDurationBetween(0, 3_600_000, 'from 0s to 1h such as 20s'),
  ),
  'log-level': required(
    {
      group: 'Service',
      type: Object.keys(LOG_LEVELS).join('|'),
      default: 'info',
      description: 'Lowest level of the log lines (JSON, one for each sync, on standard output).',
    },
    parseChoice(LOG_LEVELS),
  ),
  'tls-cert-file': optional(
    {
      group: 'Access',
      type: 'file',
      description: 'Serve HTTPS with this certificate, PEM, the chain below it included.',
    },
    parseText,
  ),
  'tls-key-file': optional(
    { group: 'Access', type: 'file', description: 'Private key of --tls-cert-file, PEM.' },
    parseText,
  ),
  'client-ca-file': optional(
    {
      group: 'Access',
      type: 'file',
      description:
        "Take syncs only over a client certificate of one of these CAs (Metacontroller's clientTLS).",
    },
    parseText,
  ),
  'auth-token-file': optional(
    {
      group: 'Access',
      type: 'file',
      description:
        "Take syncs only with one of these bearer tokens, one a line (Metacontroller's authorization).",
    },
    parseText,
  ),
  'basic-auth-file': optional(
    {
      group: 'Access',
      type: 'file',
      description:
        "Take syncs only with one of these logins, username:password, one a line (Metacontroller's basicAuth); beside --auth-token-file either will do.",
    },
    parseText,
  ),
  'protect-metrics': boolean(
    {
      group: 'Access',
      description: 'Ask for the same credentials at /metrics; health checks never need any.',
    },
    false,
  ),
  kubernetes: boolean(
    {
      group: 'Kubernetes',
      description:
        'Use the Kubernetes API: the file of --kubeconfig, else of KUBECONFIG, else the one of the cluster that the process runs in, else none.',
    },
    true,
  ),
  kubeconfig: optional(
    { group: 'Kubernetes', type: 'file', description: 'Kubeconfig file for the Kubernetes API.' },
    parseText,
  ),
  'verify-parent': boolean(
    {
      group: 'Rebalance',
      description:
        'Read the live Rebalance before acting on it; =false believes the posted body and needs no Kubernetes API (demos, curl).',
    },
    true,
  ),
  'observe-only': boolean(
    { group: 'Rebalance', description: 'Make every Rebalance a dry run: evaluate and report, never write.' },
    false,
  ),
  'min-interval': required(
    {
      group: 'Rebalance',
      type: 'duration',
      default: '10s',
      description: 'Shorter intervals are raised to this, with a condition.',
    },
    parseDurationBetween(1_000, 86_400_000, 'from 1s to 24h such as 10s'),
  ),
  'allow-cross-namespace-secrets': boolean(
    {
      group: 'Rebalance',
      description: 'Let a Rebalance name Secrets of other namespaces (needs RBAC to read them there).',
    },
    false,
  ),
  'prometheus-allow': repeatable(
    {
      group: 'Rebalance',
      type: 'host|cidr,...',
      description:
        'Send queries and token requests only to these hosts (*.example.com: all below) and networks; where absent to every address. Link-local, metadata, unspecified and multicast addresses are never called, listed or not; loopback is like any other.',
    },
    parseAllowedAddresses,
    (allowed): readonly AllowedAddress[] => allowed,
  ),
  'route53-endpoint': optional(
    {
      group: 'Rebalance',
      type: 'url',
      description: "Route 53 endpoint other than AWS' own, for an emulator.",
    },
    parseHttpUrl,
  ),
  'route53-rate': required(
    {
      group: 'Rebalance',
      type: 'integer',
      default: '3',
      description: 'Requests a second to Route 53 in one account, retries included; AWS allows 5.',
    },
    parseIntegerBetween(1, 1_000),
  ),
  'route53-list-window': required(
    {
      group: 'Rebalance',
      type: 'duration',
      default: '5s',
      description:
        'How long a list of records is shared among syncs that write nothing; 0s makes each sync read for itself.',
    },
    parseDurationBetween(0, 60_000, 'from 0s to 1m such as 5s'),
  ),
  'enable-security-context': boolean(
    { group: 'Balancer', description: 'Give the balancerd container a restricted security context.' },
    false,
  ),
  'enable-prometheus-scrape-annotations': boolean(
    { group: 'Balancer', description: 'Annotate the balancerd pods for a scraping Prometheus.' },
    false,
  ),
  'image-pull-policy': required(
    {
      group: 'Balancer',
      type: Object.keys(IMAGE_PULL_POLICIES).join('|'),
      default: 'always',
      description: 'When the kubelet pulls the balancerd image.',
    },
    parseChoice(IMAGE_PULL_POLICIES),
  ),
  'scheduler-name': optional(
    { group: 'Balancer', type: 'name', description: 'schedulerName of the balancerd pods.' },
    parseText,
  ),
  'balancerd-node-selector': repeatable(
    {
      group: 'Balancer',
      type: 'key=value,...',
      description: 'nodeSelector of the balancerd pods, one pair or several.',
    },
    parseKeyValues,
    (pairs): Readonly<Record<string, string>> => Object.fromEntries(pairs),
  ),
  'balancerd-affinity': optional(
    { group: 'Balancer', type: 'json', description: 'affinity of the balancerd pods (core/v1 Affinity).' },
    parseJsonObject,
  ),
  'balancerd-toleration': repeatable(
    {
      group: 'Balancer',
      type: 'json',
      description: 'Toleration of the balancerd pods (core/v1 Toleration): an object, or an array of them.',
    },
    parseJsonObjects,
    (tolerations): readonly JsonObject[] => tolerations,
  ),
  'balancerd-default-resources': optional(
    {
      group: 'Balancer',
      type: 'json',
      description: 'Resources of a Balancer that names none (core/v1 ResourceRequirements).',
    },
    parseDefaultResources,
  ),
  'default-certificate-specs': required<DefaultCertificateSpecs>(
    {
      group: 'Balancer',
      type: 'json',
      default: '{}',
      description: 'Certificate defaults under the keys balancerdExternal and internal; others are ignored.',
    },
    parseDefaultCertificateSpecs,
  ),
  'environmentd-sql-port': port(
    { description: 'SQL port of environmentd that balancerd forwards to.' },
    6875,
  ),
  'environmentd-http-port': port(
    { description: 'HTTP port of environmentd that balancerd forwards to.' },
    6876,
  ),
  'balancerd-sql-port': port({ description: 'SQL port of balancerd and its Service.' }, 6875),
  'balancerd-http-port': port({ description: 'HTTP port of balancerd and its Service.' }, 6876),
  'balancerd-internal-http-port': port({ description: 'Port of balancerd for probes and metrics.' }, 8080),
} as const satisfies Readonly<Record<string, Flag<unknown>>>;

/** A row of docs/reference/flags.md. */
export interface FlagRow {
  readonly name: string;
  readonly env: string;
  readonly group: FlagGroup;
  readonly type: string;
  readonly default: string | undefined;
  readonly description: string;
  readonly repeatable: boolean;
}

/** The table as documentation reads it, in the order of `--help`. */
export function flagRows(): readonly FlagRow[] {
  return Object.entries(FLAGS).map(([name, flag]: [string, Flag<unknown>]) => {
    const { group, type, description, repeatable } = flag;
    return { name, env: environmentTwin(name), group, type, default: flag.default, description, repeatable };
  });
}
