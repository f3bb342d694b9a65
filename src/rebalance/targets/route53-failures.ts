import { oneLine } from '../../foundation/one-line.ts';
import { rowOf } from '../../foundation/record.ts';
import {
  awsWords,
  describeConnection,
  isThrottled,
  readThrown,
  refusedMessage,
  refusedReason,
  type RefusedReason,
  type Thrown,
} from '../aws/failures.ts';
import type { CredentialFailureReason } from '../aws/port.ts';
import type { Route53Target } from '../spec.ts';
import type { TargetFailure, TargetFailureReason } from './port.ts';
import { UnreadableAnswer } from './unreadable-answer.ts';

export interface FailedCall {
  readonly target: Route53Target;
  /** IAM's name of the call: `route53:ListResourceRecordSets`. */
  readonly action: string;
  readonly thrown: unknown;
  /** The deadline passed before the call ended. */
  readonly isAborted: boolean;
}

type ServiceReason = Exclude<TargetFailureReason, CredentialFailureReason | 'RateBudget'> | RefusedReason;

/** Error codes of Route 53 (API Reference, "Common Error Types" and errors of each call), but those for credentials. */
const REASON_OF_CODE: Readonly<Record<string, ServiceReason>> = {
  NoSuchHostedZone: 'HostedZoneNotFound',
  NoSuchChange: 'ChangeNotFound',
  AccessDenied: 'AccessDenied',
  AccessDeniedException: 'AccessDenied',
  NotAuthorized: 'AccessDenied',
  PriorRequestNotComplete: 'PriorRequestNotComplete',
  InvalidChangeBatch: 'ChangeRejected',
  InvalidInput: 'ChangeRejected',
  NoSuchHealthCheck: 'ChangeRejected',
};

/** Why a call to Route 53 failed, in one line without secrets, times and request ids. */
export function toFailure(call: FailedCall): TargetFailure {
  const thrown = readThrown(call.thrown);
  const reason = reasonOf(call, thrown);
  return { reason, message: oneLine(messageOf(reason, call, thrown)), outcomeUnknown: false };
}

/** The deadline passed while a request was on its way. */
export function timedOut(target: Route53Target, action: string): TargetFailure {
  return toFailure({ target, action, thrown: undefined, isAborted: true });
}

/** No request was sent: others took all that the account may. */
export function outOfBudget(action: string): TargetFailure {
  return {
    reason: 'RateBudget',
    message: `no turn for ${action} within the hook's budget: this AWS account's other Rebalances took all that --route53-rate allows; tried again at the next attempt`,
    outcomeUnknown: false,
  };
}

function reasonOf({ target, isAborted, thrown: raw }: FailedCall, thrown: Thrown): ServiceReason {
  if (isAborted) return 'TargetTimeout';
  if (isThrottled(raw)) return 'Throttled';
  const reason = refusedReason(thrown.name) ?? rowOf(REASON_OF_CODE, thrown.name);
  if (reason === 'ChangeRejected' && isProtected(target, thrown.message)) return 'RecordProtected';
  if (reason === 'ChangeRejected' && target.compareAndSwap && LOST_RACE.test(thrown.message))
    return 'ChangedMeanwhile';
  if (reason !== undefined) return reason;
  return thrown.code === '' ? 'TargetError' : 'TargetUnreachable';
}

/**
 * What Route 53 says of a DELETE of what is not there (any more, or with these values), and of a CREATE of what is: both
 * come as InvalidChangeBatch, without a code of their own.
 */
const LOST_RACE = /\bbut (it was not found|the values provided do not match|it already exists)/;

/**
 * Route 53 refuses changes of a record set with a protection as InvalidChangeBatch and documents no code of its own
 * (Developer Guide, "Protecting records from changes"), so its words decide, without the names that they quote.
 */
function isProtected({ name, records }: Route53Target, message: string): boolean {
  const identifiers = records.map(({ identifier }) => identifier);
  const words = [name, ...identifiers].reduce((rest, quoted) => rest.replaceAll(quoted, ''), message);
  return /\bprotect(ed|ions?)\b/i.test(words);
}

/** Words of AWS are given where they are the same at every attempt; those about credentials carry times. */
function messageOf(reason: ServiceReason, call: FailedCall, thrown: Thrown): string {
  const { target, action } = call;
  const zone = `hosted zone ${target.hostedZoneId}`;
  if (call.thrown instanceof UnreadableAnswer && reason === 'TargetError')
    return `Route 53's answer to ${action} on ${zone} cannot be read: ${thrown.message}`;
  const code = thrown.code === '' ? thrown.name : thrown.code;
  switch (reason) {
    case 'HostedZoneNotFound':
      return `spec.target.route53.hostedZoneID: this AWS account has no ${zone}`;
    case 'AccessDenied':
      return `spec.target.route53.auth: ${action} is not allowed on ${zone}; AWS says: ${awsWords(thrown.message)}`;
    case 'InvalidCredentials':
    case 'ExpiredToken':
      return `spec.target.route53.auth: ${refusedMessage(reason, code)}`;
    case 'Throttled':
      return `Route 53 throttles this AWS account (5 requests a second for all of it); tried again at the next attempt`;
    case 'PriorRequestNotComplete':
      return `Route 53 is still busy with another change of ${zone}; tried again at the next attempt`;
    case 'RecordProtected':
      return `spec.target.route53.resource: a record set protection forbids the change; AWS says: ${thrown.message}`;
    case 'ChangedMeanwhile':
      return `spec.target.route53.resource: somebody changed the record since it was read, so nothing was written (write: CompareAndSwap); read anew at the next attempt`;
    case 'ChangeRejected':
      return `spec.target.route53: Route 53 refuses ${action} (${thrown.name}); AWS says: ${thrown.message}`;
    case 'ChangeNotFound':
      return `Route 53 does not know the change any more; the record is read again at the next attempt`;
    case 'TargetTimeout':
      return `Route 53 did not answer ${action} within the hook's budget`;
    case 'TargetUnreachable':
      return `Route 53 ${describeConnection(code)}`;
    case 'TargetError':
    case 'RecordNotFound':
    case 'RecordNotWeighted':
      return `Route 53 answered ${action} with ${thrown.httpStatus === 0 ? 'an error' : `HTTP ${thrown.httpStatus}`}: ${thrown.name}`;
  }
}
