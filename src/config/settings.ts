import type { BalancerSettings } from '../balancer/settings.ts';

export type HookName = 'balancer' | 'rebalance';

/** Everything that flags and environment decide, parsed and checked once at start. Units are in the names. */
export interface Settings {
  readonly listen: { readonly host: string; readonly port: number };
  readonly hooks: ReadonlySet<HookName>;
  /** The budget of one sync; every outside call fits into it. */
  readonly hookBudgetMs: number;
  readonly bodyLimitBytes: number;
  /** How long what runs may take to finish after SIGTERM. */
  readonly shutdownGraceMs: number;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  readonly kubernetes: KubernetesAccess;
  readonly balancer: BalancerSettings;
  readonly rebalance: RebalanceSettings;
}

/** How the Kubernetes API is reached. */
export type KubernetesAccess =
  | { readonly kind: 'None' }
  | { readonly kind: 'Kubeconfig'; readonly path: string }
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
  /** Route 53 endpoint other than AWS' own (an emulator); undefined = AWS. */
  readonly route53Endpoint: string | undefined;
  /** Requests a second to Route 53 with one set of credentials. */
  readonly route53RatePerSecond: number;
  /** How long a list of records is shared; 0: not at all. */
  readonly route53ListWindowMs: number;
}
