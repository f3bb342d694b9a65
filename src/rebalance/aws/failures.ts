import { CONNECTION_FAILURES } from '../../foundation/connection-failures.ts';
import { oneLine } from '../../foundation/one-line.ts';
import { rowOf } from '../../foundation/record.ts';
import type { CredentialFailure, CredentialFailureReason } from './port.ts';

/** What the SDK or Node threw, as far as it is read. */
export interface Thrown {
  /** Code of the service's error, or the class of the SDK's own. */
  readonly name: string;
  readonly message: string;
  /** Node's code of a failed connection or file; empty where a whole answer came. */
  readonly code: string;
  /** 0 where no answer came. */
  readonly httpStatus: number;
}

/** What the SDK threw, whatever it is: its errors are known by name, those of connections by code. */
export function readThrown(thrown: unknown): Thrown {
  const { name, message, code, $metadata } = (thrown ?? {}) as {
    readonly name?: unknown;
    readonly message?: unknown;
    readonly code?: unknown;
    readonly $metadata?: { readonly httpStatusCode?: unknown };
  };
  const httpStatus = $metadata?.httpStatusCode;
  return {
    name: typeof name === 'string' ? name : 'unknown error',
    message: typeof message === 'string' ? message : '',
    // An answer that broke off has the status of its head, and the code of what broke it.
    code: typeof code === 'string' && !isRefusal(httpStatus) ? code : '',
    httpStatus: typeof httpStatus === 'number' ? httpStatus : 0,
  };
}

function isRefusal(httpStatus: unknown): boolean {
  return typeof httpStatus === 'number' && httpStatus >= 300;
}

/** What Node's code of a failed connection means to the person on call; follows the name of who was called. */
export function describeConnection(code: string): string {
  return `${rowOf(CONNECTION_FAILURES, code) ?? 'cannot be reached'} (${code})`;
}

/** AWS' own words, without the name of the session, which may be another one each hour. */
export function awsWords(message: string): string {
  return message.replace(/(:assumed-role\/[^/\s]+)\/[^\s,;]+/g, '$1');
}

const THROTTLED = new Set(['Throttling', 'ThrottlingException']);

/** Whether the caller asked too often: by the code of AWS, or by the status alone, as of a proxy before it. */
export function isThrottled(thrown: unknown): boolean {
  const { name, httpStatus } = readThrown(thrown);
  return THROTTLED.has(name) || httpStatus === 429;
}

/**
 * Error codes that any service sends for the credentials of a request (API References, "Common Error Types"; STS has
 * `ExpiredToken` for the signer's, `ExpiredTokenException` for a web identity token).
 */
const REASON_OF_CODE = {
  InvalidClientTokenId: 'InvalidCredentials',
  UnrecognizedClientException: 'InvalidCredentials',
  SignatureDoesNotMatch: 'InvalidCredentials',
  InvalidSignatureException: 'InvalidCredentials',
  IncompleteSignature: 'InvalidCredentials',
  ExpiredToken: 'ExpiredToken',
  ExpiredTokenException: 'ExpiredToken',
  RequestExpired: 'ExpiredToken',
} as const;

export type RefusedReason = (typeof REASON_OF_CODE)[keyof typeof REASON_OF_CODE];

/** Whether this error code says that AWS refuses the credentials themselves. */
export function refusedReason(code: string): RefusedReason | undefined {
  return rowOf<RefusedReason>(REASON_OF_CODE, code);
}

/** What to do where AWS refuses the credentials themselves; `code` is AWS' own. */
export function refusedMessage(reason: RefusedReason, code: string): string {
  return reason === 'ExpiredToken'
    ? `the AWS credentials have expired (${code}); renew them, and check the clock`
    : `AWS does not accept the credentials (${code}); check the access key and its secret`;
}

/** The deadline came before the credentials. */
export function timedOut(): CredentialFailure {
  return fail('CredentialsTimeout', "the AWS credentials did not come within the hook's budget");
}

function noCredentials(): CredentialFailure {
  return fail('NoCredentials', 'no AWS credentials; name a Secret in auth.secretRef or give the pod a role');
}

/** Why STS did not give the session of a role. `AccessDenied` is also its answer where there is no such role. */
export function assumeRoleFailure(thrown: unknown): CredentialFailure {
  const { name, message, code, httpStatus } = readThrown(thrown);
  const refused = refusedReason(name);
  if (refused !== undefined) return fail(refused, refusedMessage(refused, name));
  if (code !== '') return fail('CredentialsUnreachable', `AWS STS ${describeConnection(code)}`);
  if (name.startsWith('AccessDenied'))
    return fail(
      'AssumeRoleDenied',
      `sts:AssumeRole is not allowed; look at the role's trust policy, its external id included; AWS says: ${awsWords(message)}`,
    );
  return fail('CredentialsError', answered('AWS STS', 'sts:AssumeRole', { name, message, httpStatus }));
}

/** STS answered, and not as STS does. */
export function unreadableSession(): CredentialFailure {
  return fail('CredentialsError', 'the answer to sts:AssumeRole cannot be read: it is not one of AWS STS');
}

/** STS API Reference, AssumeRoleWithWebIdentity, Errors; the SDK adds "Exception" to codes that do not have it. */
const TOKEN_REFUSED = /^(InvalidIdentityToken|ExpiredTokenException|IDPRejectedClaim)/;

/** Why the process' own credentials could not be had, when a source of them is set up. */
export function chainFailure(thrown: unknown): CredentialFailure {
  const { name, message, code, httpStatus } = readThrown(thrown);
  // What it says may quote the command or the file that a profile names.
  if (name === 'CredentialsProviderError') return noCredentials();
  if (TOKEN_REFUSED.test(name))
    return fail(
      'InvalidIdentityToken',
      `AWS STS does not accept the web identity token of the pod (${name}); look at the identity provider of the role's account and at the pod's role; AWS says: ${message}`,
    );
  if (['ENOENT', 'EACCES', 'EISDIR'].includes(code))
    return fail('InvalidIdentityToken', `the web identity token file of the pod cannot be read (${code})`);
  if (name.startsWith('AccessDenied'))
    return fail(
      'AssumeRoleDenied',
      `the role of the pod may not be assumed; look at its trust policy and at the ServiceAccount; AWS says: ${awsWords(message)}`,
    );
  const refused = refusedReason(name);
  if (refused !== undefined) return fail(refused, refusedMessage(refused, name));
  if (code !== '') return fail('CredentialsUnreachable', `AWS STS ${describeConnection(code)}`);
  return fail(
    'CredentialsError',
    answered('AWS STS', 'the request for credentials', { name, message, httpStatus }),
  );
}

/**
 * Why the agent of EKS Pod Identity (or the container credentials of ECS) gave none. It answers with the codes of EKS Auth
 * (EKS Auth API Reference, AssumeRoleForPodIdentity, Errors).
 */
export function agentFailure(thrown: unknown): CredentialFailure {
  const { Code, Message } = (thrown ?? {}) as { readonly Code?: unknown; readonly Message?: unknown };
  const words = typeof Message === 'string' ? `; it says: ${awsWords(Message)}` : '';
  if (typeof Code !== 'string') return agentFailureWithoutCode(thrown);
  if (['ExpiredTokenException', 'InvalidTokenException', 'InvalidRequestException'].includes(Code))
    return fail(
      'InvalidIdentityToken',
      `the Pod Identity agent does not accept the token of the pod (${Code})${words}`,
    );
  if (Code.startsWith('AccessDenied') || Code === 'ResourceNotFoundException')
    return fail(
      'AssumeRoleDenied',
      `the Pod Identity agent gives no role (${Code}); look at the association of the ServiceAccount and at the role's trust policy${words}`,
    );
  return fail('CredentialsError', `the Pod Identity agent answered with ${Code}${words}`);
}

/** The provider says it in words alone. */
function agentFailureWithoutCode(thrown: unknown): CredentialFailure {
  const { code, message } = readThrown(thrown);
  if (['ENOENT', 'EACCES', 'EISDIR'].includes(code))
    return fail('InvalidIdentityToken', `the Pod Identity token file cannot be read (${code})`);
  const status = /status: (\d+)/.exec(message)?.[1];
  if (status !== undefined)
    return fail('CredentialsError', `the Pod Identity agent answered with HTTP ${status}`);
  const connection = connectionCode(message);
  return connection === undefined
    ? fail('CredentialsError', 'the Pod Identity agent gave no credentials that can be read')
    : fail('CredentialsUnreachable', `the Pod Identity agent ${describeConnection(connection)}`);
}

function connectionCode(message: string): string | undefined {
  if (message.includes('socket hang up')) return 'ECONNRESET';
  return message.includes('TimeoutError') ? 'ETIMEDOUT' : /\bE[A-Z]{4,}\b/.exec(message)?.[0];
}

function answered(
  who: string,
  what: string,
  { name, message, httpStatus }: Pick<Thrown, 'name' | 'message' | 'httpStatus'>,
): string {
  const how = httpStatus === 0 ? 'an error' : `HTTP ${httpStatus}`;
  const words = httpStatus >= 400 && httpStatus < 500 ? `; AWS says: ${awsWords(message)}` : '';
  return `${who} answered ${what} with ${how}: ${name}${words}`;
}

function fail(reason: CredentialFailureReason, message: string): CredentialFailure {
  return { reason, message: oneLine(message) };
}
