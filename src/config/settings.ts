import type { BalancerSettings } from '../balancer/settings.ts';
import type { AllowedAddress } from '../rebalance/metrics/address-policy.ts';

export type HookName = 'balancer' | 'rebalance';

/** Everything that flags and environment decide, parsed and checked once at start. Units are in the names. */
export interface Settings {
  readonly listen: { readonly host: string; readonly port: number };
  readonly hooks: ReadonlySet<HookName>;
  /** The budget of one sync; every outside call fits into it. */
  readonly hookBudgetMs: number;
  readonly bodyLimitBytes: number;
  /** More at a time are shed with 429. */
  readonly maxConcurrentSyncs: number;
  /** How long what runs may take to finish after SIGTERM. */
  readonly shutdownGraceMs: number;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  readonly access: AccessSettings;
  readonly kubernetes: KubernetesAccess;
  readonly balancer: BalancerSettings;
  readonly rebalance: RebalanceSettings;
}

/** Who may call the hooks. Everything is the path of a file, which is read again when it changes. */
export interface AccessSettings {
  /** undefined: plain HTTP. */
  readonly tls: TlsFiles | undefined;
  /** Bearer tokens, one a line; undefined: no token lets anybody in. */
  readonly tokenFile: string | undefined;
  /** `username:password`, one a line. */
  readonly loginFile: string | undefined;
  /** /metrics asks for the same as a sync. */
  readonly protectMetrics: boolean;
}

export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** undefined: no client certificate is asked for. */
  readonly clientCaFile: string | undefined;
}

/** How the Kubernetes API is reached. */
export type KubernetesAccess =
  | { readonly kind: 'None' }
  /** The one of --kubeconfig, or those of KUBECONFIG. */
  | { readonly kind: 'Kubeconfig'; readonly paths: readonly string[] }
  | { readonly kind: 'InCluster' };

export interface RebalanceSettings {
  /** Every Rebalance is a dry run. */
  readonly observeOnly: boolean;
  /** Due syncs read the live object; false believes the body (demos, curl). */
  readonly verifyParent: boolean;
  /** Shorter intervals are raised to this. */
  readonly minIntervalMs: number;
  /** Secrets of other namespaces may be named. */
  readonly allowCrossNamespaceSecrets: boolean;
  /** What Prometheus (and a token server) may be; empty: all but what is never called. */
  readonly prometheusAllowed: readonly AllowedAddress[];
  /** Route 53 endpoint other than AWS' own (an emulator); undefined = AWS. */
  readonly route53Endpoint: string | undefined;
  /** Requests a second to Route 53 with one set of credentials. */
  readonly route53RatePerSecond: number;
  /** How long a list of records is shared; 0: not at all. */
  readonly route53ListWindowMs: number;
}
