import type { MinuteOfDay } from '../foundation/time-of-day.ts';
import type { Rational } from '../foundation/rational.ts';
import type { Weight } from './weight.ts';

/**
 * A Rebalance as the core sees it: defaults applied, texts parsed, every choice a `kind`. Only api/ knows how it looks
 * on the wire (exactly one key set).
 */
export interface RebalanceSpec {
  readonly suspend: boolean;
  readonly dryRun: boolean;
  /** As written; the hook raises it to its --min-interval. */
  readonly intervalMs: number;
  readonly policy: TargetTracking;
  /** undefined: the weight follows the policy at once. */
  readonly behavior: Behavior | undefined;
  readonly onFailure: OnFailure;
  readonly target: Route53Target;
  readonly metric: PrometheusMetric;
  /** More metrics of the same signal; the one that asks for the largest weight counts. */
  readonly additionalMetrics: readonly AdditionalMetric[];
  readonly guards: readonly Guard[];
}

/** The policy: the reference's site is to carry `targetValue`, and our record what it cannot. */
export interface TargetTracking {
  readonly kind: 'TargetTracking';
  readonly signal: Signal;
  /** The load that the reference record's site should carry; above 0. */
  readonly targetValue: Rational;
  /** Weight of the reference record, 1..255; undefined: as read from the set. */
  readonly baseValue: number | undefined;
  readonly minimum: Weight;
  /** At least `minimum`. */
  readonly maximum: Weight;
  /** 0..1: relative error of the load within which the weight is kept. */
  readonly tolerance: Rational;
  readonly disableScaleIn: boolean;
  readonly scheduled: readonly ScheduledFloor[];
}

/**
 * What the query measures. Demand: the total, which the weight does not change. Load: what the reference site carries,
 * which falls as our weight rises.
 */
export type Signal = 'Demand' | 'Load';

/** In the order of ISO 8601, Monday being the first. */
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** A floor for the weight while it is active: start included, end excluded; an end before the start is the next day's. */
export interface ScheduledFloor {
  readonly start: MinuteOfDay;
  readonly end: MinuteOfDay;
  readonly value: Weight;
  /** IANA name. */
  readonly timeZone: string;
  /** Days on which a window starts; all seven where the field is absent. */
  readonly days: ReadonlySet<Weekday>;
}

/** How fast the weight may move each way. */
export interface Behavior {
  readonly increase: MoveRules;
  readonly decrease: MoveRules;
}

/** The limits of one way; no window and no policy: none. */
export interface MoveRules {
  /** How long all recommendations must have asked for a move; 0: at once. */
  readonly stabilisationMs: number;
  readonly policies: readonly StepPolicy[];
  /** Which of the policies counts, the one that allows the most or the least; Disabled: no move this way. */
  readonly select: 'Max' | 'Min' | 'Disabled';
}

/** How far the weight may move within a period: by a number, or by a part of the weight when the period began. */
export interface StepPolicy {
  readonly kind: 'Weight' | 'Percent';
  /** Integer, at least 1. */
  readonly value: number;
  readonly periodMs: number;
}

/** What more than `threshold` metric failures in a row lead to. */
export type OnFailure =
  | { readonly kind: 'Hold'; readonly threshold: number }
  | { readonly kind: 'Weight'; readonly threshold: number; readonly weight: Weight };

/** A key of a Secret; `namespace` is set only where the object names one. */
export interface SecretKeyReference {
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly key: string;
}

/** Records of one weighted set of Route 53. */
export interface Route53Target {
  readonly kind: 'Route53';
  /** Bare id, without `/hostedzone/`. */
  readonly hostedZoneId: string;
  readonly region: string | undefined;
  /** As written; the adapter compares names as DNS does. */
  readonly name: string;
  /** Record type, upper case: A, AAAA, CNAME, ... */
  readonly type: string;
  /** The records that are steered, not empty, each identifier once; several share one weight. */
  readonly records: readonly TargetRecord[];
  /** Identifier of the reference record, none of `records`; undefined: the only other record of the set. */
  readonly reference: string | undefined;
  /** A write is refused where the record is not as it was read. */
  readonly compareAndSwap: boolean;
  readonly auth: AwsAuth;
}

/** A record that is steered, and its part of the weight beside the shares of the others. */
export interface TargetRecord {
  readonly identifier: string;
  /** 1..255. */
  readonly share: number;
}

/** Who calls AWS. */
export interface AwsAuth {
  readonly base: AwsBase;
  /** The role that the base is exchanged for; undefined: the base calls itself. */
  readonly role: AwsRole | undefined;
}

/** Whose keys a call is signed with, or a role is assumed by. */
export type AwsBase =
  /** What the process finds: environment, shared files, web identity, Pod Identity, instance. */
  | { readonly kind: 'DefaultChain' }
  | {
      readonly kind: 'SecretKeys';
      readonly accessKeyId: SecretKeyReference;
      readonly secretAccessKey: SecretKeyReference;
      /** Temporary keys have one. */
      readonly sessionToken: SecretKeyReference | undefined;
    };

/** A role to assume. */
export interface AwsRole {
  readonly roleArn: string;
  /** What the role's trust policy asks of a third party (`sts:ExternalId`). */
  readonly externalId: string | undefined;
  /** Names the session in CloudTrail; undefined: after the object. */
  readonly sessionName: string | undefined;
}

/** What an empty result or NaN means. */
export type NoDataRule = 'Hold' | 'Zero' | 'Fail';

/** An instant query for one number. */
export interface PrometheusQuery {
  readonly kind: 'Prometheus';
  /** Where it stands in the object, `spec.guards[0].prometheus`: what a message about it begins with. */
  readonly path: string;
  /** http(s) URL as written; a path prefix is kept. */
  readonly address: string;
  readonly query: string;
  readonly timeoutMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly queryParams: Readonly<Record<string, string>>;
  readonly auth: PrometheusAuth;
  /** undefined: the system's CAs, no client certificate. */
  readonly tls: TlsSpec | undefined;
}

/** A query that a weight follows. */
export interface PrometheusMetric extends PrometheusQuery {
  readonly noData: NoDataRule;
  /** How far back the query looks (the range of a rate()); 0 for a gauge, and where the spec has none. */
  readonly windowMs: number;
}

/** A metric beside that of `spec.metrics`; signal, base and tolerance are the policy's. */
export interface AdditionalMetric {
  /** Unique among them. */
  readonly name: string;
  /** Above 0; in the query's unit. */
  readonly targetValue: Rational;
  readonly metric: PrometheusMetric;
}

/** A query that must be above 0 for the weight to move. One that cannot be read stops it as well. */
export interface Guard {
  /** Unique among them. */
  readonly name: string;
  readonly query: PrometheusQuery;
  readonly stops: 'Increase' | 'Decrease' | 'Both';
}

/** Who asks Prometheus. */
export type PrometheusAuth =
  | { readonly kind: 'None' }
  | { readonly kind: 'Basic'; readonly user: SecretKeyReference; readonly password: SecretKeyReference }
  | { readonly kind: 'Bearer'; readonly token: SecretKeyReference }
  /** A bearer token of the client credentials grant. */
  | {
      readonly kind: 'OAuth2';
      readonly tokenUrl: string;
      readonly clientId: SecretKeyReference;
      readonly clientSecret: SecretKeyReference;
      readonly scopes: readonly string[];
      /** Sent with the token request. */
      readonly endpointParams: Readonly<Record<string, string>>;
      /** Of the token server. */
      readonly tls: TlsSpec | undefined;
    }
  /** Requests signed for Amazon Managed Service for Prometheus. */
  | { readonly kind: 'SigV4'; readonly region: string; readonly aws: AwsAuth };

/** How a TLS server is believed, and what it is shown. */
export interface TlsSpec {
  /** The only CAs believed; undefined: the system's. */
  readonly ca: SecretKeyReference | undefined;
  readonly clientCertificate:
    { readonly cert: SecretKeyReference; readonly key: SecretKeyReference } | undefined;
  /** The name that the certificate must have; undefined: the host of the address. */
  readonly serverName: string | undefined;
  /** Any certificate is believed. */
  readonly insecureSkipVerify: boolean;
}
