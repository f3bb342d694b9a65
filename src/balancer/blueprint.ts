import type { Identity } from './identity.ts';
import type { BalancerSettings } from './settings.ts';
import type { BalancerSpec } from './spec.ts';

/** Everything that the children are rendered from. */
export interface Blueprint {
  readonly identity: Identity;
  readonly spec: BalancerSpec;
  readonly settings: BalancerSettings;
  readonly tls: Tls;
}

/** Where an issuer is known: from the Balancer itself or from the operator's defaults. */
export interface Tls {
  /** Clients of balancerd are asked for TLS, with a certificate from a Secret. */
  readonly external: boolean;
  /** balancerd reaches environmentd by TLS. */
  readonly internal: boolean;
}
