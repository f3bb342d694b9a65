import type { Service } from '../support/service.ts';

/** A Rebalance as a person writes it, and as curl posts it. */
export interface Rebalance {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly generation: number;
  };
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status?: RebalanceStatus;
}

export interface RebalanceStatus {
  readonly condition?: string;
  readonly actualValue?: number;
  readonly desiredValue?: number;
  readonly resources?: readonly {
    readonly identifier: string;
    readonly actualValue: number;
    readonly desiredValue: number;
  }[];
  readonly failures?: number;
  readonly metric?: { readonly value: string };
  readonly metrics?: readonly NamedValue[];
  readonly guards?: readonly NamedValue[];
  readonly conditions?: readonly StatusCondition[];
  readonly decision?: { readonly reason?: string; readonly because?: string };
}

/** The last number of an additional metric or of a guard. */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

export interface StatusCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export interface RebalanceParts {
  readonly name: string;
  readonly targettracking: Readonly<Record<string, unknown>>;
  readonly prometheus: Readonly<Record<string, unknown>> & {
    readonly address: string;
    readonly query: string;
  };
  readonly zoneId: string;
  readonly record: { readonly name: string; readonly type: string; readonly identifier?: string };
  /** `spec.target.route53.resources`, in place of the record's identifier. */
  readonly resources?: readonly { readonly identifier: string; readonly share?: number }[];
  /** `spec.target.route53.write`. */
  readonly write?: string;
  /** `spec.target.route53.auth`. */
  readonly awsAuth?: Readonly<Record<string, unknown>>;
  readonly others?: Readonly<Record<string, unknown>>;
}

export function rebalance({
  name,
  targettracking,
  prometheus,
  zoneId,
  record,
  resources,
  write,
  awsAuth,
  others = {},
}: RebalanceParts): Rebalance {
  return {
    apiVersion: 'rebalancer.ch1aki.github.io/v1',
    kind: 'Rebalance',
    metadata: { name, namespace: 'default', uid: `uid-of-${name}`, generation: 1 },
    spec: {
      policy: { targettracking },
      target: {
        route53: {
          hostedZoneID: zoneId,
          region: 'us-east-1',
          resource: record,
          ...(resources === undefined ? {} : { resources }),
          ...(write === undefined ? {} : { write }),
          ...(awsAuth === undefined ? {} : { auth: awsAuth }),
        },
      },
      metrics: { prometheus },
      ...others,
    },
  };
}

export interface SyncAnswer {
  readonly status: RebalanceStatus;
  readonly children: readonly unknown[];
  readonly resyncAfterSeconds?: number;
}

/** One sync of a parent without children, by HTTP; anything but a 200 throws with the body. */
export async function sync(service: Service, parent: Rebalance): Promise<SyncAnswer> {
  const response = await fetch(`${service.url}/rebalance/sync`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ controller: {}, parent, children: {}, related: {}, finalizing: false }),
  });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`HTTP ${response.status}: ${body}`);
  return JSON.parse(body) as SyncAnswer;
}

/** The condition of this type; absent is an error that shows what is there. */
export function conditionOf(status: RebalanceStatus, type: string): StatusCondition {
  const condition = status.conditions?.find((each) => each.type === type);
  if (condition === undefined) throw new Error(`no condition ${type} in ${JSON.stringify(status)}`);
  return condition;
}
