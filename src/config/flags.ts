import type { AllowedAddress } from '../rebalance/metrics/address-policy.ts';
import { BALANCER_FLAGS } from './balancer-flags.ts';
import { boolean, environmentTwin, optional, repeatable, required, type Flag } from './flag.ts';
import type { HookName } from './settings.ts';
import {
  parseAllowedAddresses,
  parseBytes,
  parseChoice,
  parseDurationBetween,
  parseHttpUrl,
  parseIntegerBetween,
  parseListenAddress,
  parseSetOf,
  parseText,
} from './values.ts';

const LOG_LEVELS = { debug: 'debug', info: 'info', warn: 'warn', error: 'error' } as const;

const HOOK_NAMES: readonly HookName[] = ['balancer', 'rebalance'];

/** Every flag of the service: the one table behind parsing, `--help` and docs/reference/flags.md. */
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
      default: '8MiB',
      description:
        'Largest request body: a parent and its children, none of which has more than 1.5 MiB in etcd.',
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
        'Use the Kubernetes API: the file of --kubeconfig, else the files of KUBECONFIG, merged as kubectl does, else the one of the cluster that the process runs in, else none.',
    },
    true,
  ),
  kubeconfig: optional(
    {
      group: 'Kubernetes',
      type: 'file',
      description: 'Kubeconfig file for the Kubernetes API; its current-context is used.',
    },
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
  ...BALANCER_FLAGS,
} as const satisfies Readonly<Record<string, Flag<unknown>>>;

export type FlagName = keyof typeof FLAGS;

/** The value of every flag, by its name. */
export type FlagValues = {
  readonly [Name in FlagName]: (typeof FLAGS)[Name] extends Flag<infer T> ? T : never;
};

/** A row of docs/reference/flags.md: a flag by its two names. */
export interface FlagRow extends Flag<unknown> {
  readonly name: string;
  readonly env: string;
}

/** The table as documentation reads it, in the order of `--help`. */
export function flagRows(): readonly FlagRow[] {
  return Object.entries(FLAGS).map(([name, flag]: [string, Flag<unknown>]) => ({
    name,
    env: environmentTwin(name),
    ...flag,
  }));
}
