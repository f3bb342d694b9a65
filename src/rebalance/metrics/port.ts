import type { Result } from '../../foundation/result.ts';
import type { CredentialFailureReason } from '../aws/port.ts';
import type { CallContext } from '../secrets.ts';
import type { PrometheusQuery } from '../spec.ts';

/** What a metric source answered when it answered. */
export type MetricReading =
  /** A finite number, as the decimal text that the source gave ("3", "1e+06", "0.11"). */
  | { readonly kind: 'Value'; readonly text: string }
  /** `noData` decides what that means. */
  | { readonly kind: 'NoData'; readonly reason: NoDataReason; readonly message: string };

/** An empty result, or NaN. */
export type NoDataReason = 'NoSeries' | 'NotANumber';

export type MetricFailureReason =
  | 'SeveralSeries'
  | 'InfiniteValue'
  /** A range, a string, a histogram, or an answer too large to be one number. */
  | 'WrongResultType'
  /** The answer carries warnings: part of the data was missing. */
  | 'PartialData'
  /** An HTTP error; the message carries Prometheus' own words where it gave any. */
  | 'QueryRejected'
  | 'MetricTimeout'
  /** Refused connection, unknown host, reset. */
  | 'MetricUnreachable'
  /** Something answered, but not with Prometheus' API. */
  | 'NotPrometheus'
  /** The address is one that is never called, or that the operator does not allow. */
  | 'AddressRefused'
  /** A certificate that is not believed, or no TLS at all. */
  | 'TlsFailed'
  /** A Secret holds something else than the field needs. */
  | 'SecretInvalid'
  /** The OAuth2 server gives no token. */
  | 'TokenRejected'
  | 'TokenUnreachable'
  /** Of AWS, where queries are signed. */
  | CredentialFailureReason;

/** `message`: one clean line, without secrets, ports or times that change by themselves. */
export interface MetricFailure {
  readonly reason: MetricFailureReason;
  readonly message: string;
}

/** Where a number comes from. One call per query and evaluation; retries are the next evaluation's. */
export interface MetricSource {
  read(query: PrometheusQuery, context: CallContext): Promise<Result<MetricReading, MetricFailure>>;
}
