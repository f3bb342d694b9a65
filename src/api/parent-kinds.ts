/** A kind of parent, as every object of it says it. */
export interface ParentKind {
  readonly apiVersion: string;
  readonly kind: 'Balancer' | 'Rebalance';
}

export const BALANCER: ParentKind = { apiVersion: 'materialize.cloud/v1alpha1', kind: 'Balancer' };
export const REBALANCE: ParentKind = { apiVersion: 'rebalancer.ch1aki.github.io/v1', kind: 'Rebalance' };
