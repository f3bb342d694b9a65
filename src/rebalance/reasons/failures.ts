import type { CredentialFailureReason } from '../aws/port.ts';
import type { MetricFailureReason, NoDataReason } from '../metrics/port.ts';
import type { TargetFailureReason } from '../targets/port.ts';

/** Why something outside failed. */
export type FailureReason = MetricFailureReason | NoDataReason | TargetFailureReason;

/** What each failure of AWS credentials means; the message has the details. */
const CREDENTIAL_REASONS = {
  NoCredentials: 'The object names no AWS credentials, and the process finds none.',
  InvalidCredentials: 'AWS does not know the credentials, or the Secret holds no keys.',
  ExpiredToken: 'The AWS credentials have expired, and newer ones are not to be had.',
  InvalidIdentityToken: 'The identity token of the pod cannot be read, or AWS does not accept it.',
  AssumeRoleDenied: 'AWS does not let the role be assumed; its trust policy decides.',
  CredentialsTimeout: 'The credentials did not come in time.',
  CredentialsUnreachable: 'No connection to AWS STS or to the Pod Identity agent.',
  CredentialsError: 'AWS STS or the Pod Identity agent failed; the message has its own words.',
  SecretMissing: 'The Secret that the object names does not exist.',
  SecretKeyMissing: 'The Secret exists without the key that the object names.',
  SecretForbidden: 'The service may not read the Secret.',
  SecretUnavailable: 'The Kubernetes API could not be asked for the Secret.',
  SecretNamespaceRefused: 'The Secret is in another namespace, which the operator has not allowed.',
} as const satisfies Record<CredentialFailureReason, string>;

/** What each failure of the metric means; the message has the details. */
export const METRIC_REASONS = {
  NoSeries: 'The query gave an empty result.',
  NotANumber: 'The query gave NaN.',
  SeveralSeries: 'The query gave more than one series; aggregate it to one.',
  WrongResultType: 'The query gave a range or a string, not a scalar or an instant vector.',
  InfiniteValue: 'The query gave an infinity, such as a division by zero.',
  PartialData: 'Prometheus answered with warnings: part of the data was missing.',
  QueryRejected: 'Prometheus refused the query; the message has its own words.',
  MetricTimeout: 'Prometheus did not answer in time.',
  MetricUnreachable: 'No connection to the address.',
  NotPrometheus: "Something answered at the address, but not with Prometheus' API.",
  AddressRefused:
    'The address leads where no query is sent: link local, metadata, or not among those of --prometheus-allow.',
  TlsFailed: 'No TLS connection: a certificate is not believed or not taken; the message says whose.',
  SecretInvalid:
    'The Secret holds something else than the field needs: a token, a PEM certificate or its key.',
  TokenRejected: 'The OAuth2 server gave no token; the message has its own words.',
  TokenUnreachable: 'No connection to the OAuth2 server.',
  ...CREDENTIAL_REASONS,
} as const satisfies Record<MetricFailureReason | NoDataReason, string>;

/** What each failure of the target means; the message has the details. */
export const TARGET_REASONS = {
  RecordNotFound: 'The zone has no record of this name, type and identifier.',
  RecordNotWeighted: 'The record exists with another routing policy than weighted; it is never changed.',
  HostedZoneNotFound: 'The hosted zone does not exist.',
  AccessDenied: 'The credentials lack a Route 53 permission.',
  Throttled: "Route 53 limits the account's requests; the next attempt tries again.",
  RateBudget:
    'Not asked: others of the same AWS account took all that --route53-rate allows; the next attempt tries again.',
  PriorRequestNotComplete: 'Another change of the zone is being made; the next attempt tries again.',
  RecordProtected: 'The record is protected against changes; the protection is never removed.',
  ChangedMeanwhile:
    'Somebody changed the record between our read and our write, which write: CompareAndSwap refuses; the next attempt reads anew.',
  ChangeRejected: 'Route 53 refused the change; the message has its own words.',
  ChangeNotFound: 'Route 53 does not know the change any more.',
  TargetTimeout: 'Route 53 did not answer in time.',
  TargetUnreachable: 'No connection to Route 53.',
  TargetError: 'Route 53 failed; the message has its own words.',
  ...CREDENTIAL_REASONS,
} as const satisfies Record<TargetFailureReason, string>;
