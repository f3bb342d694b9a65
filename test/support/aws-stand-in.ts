import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { systemClock, type Clock } from '../../src/foundation/clock.ts';
import { listen } from './listen.ts';
import { escapeXml } from './xml.ts';

/**
 * What gives out AWS credentials, on loopback: STS (Query API, version 2011-06-15), the agent of EKS Pod Identity, and the
 * metadata service of an instance. Every session has keys of its own; written from AWS' documentation.
 */
export interface AwsStandIn {
  readonly url: string;
  /** Where the agent answers: for AWS_CONTAINER_CREDENTIALS_FULL_URI. */
  readonly agentUrl: string;
  /** Tokens that STS and the agent accept; a test replaces them. */
  tokens: readonly string[];
  /** The next `times` requests end like this instead. */
  fail(fault: AwsFault, times?: number): void;
  heal(): void;
  /** Requests signed with this key are refused from now on, as AWS refuses an unknown or an expired one. */
  refuse(accessKeyId: string, code: 'InvalidClientTokenId' | 'ExpiredToken'): void;
  /** Every request so far, oldest first. */
  readonly calls: readonly AwsCall[];
  stop(): Promise<void>;
}

export interface AwsCall {
  /** AssumeRole, AssumeRoleWithWebIdentity, `Agent` or `Metadata`. */
  readonly operation: string;
  readonly parameters: URLSearchParams;
  /** Who signed it; undefined where nobody did. */
  readonly accessKeyId: string | undefined;
  /** Of the credential scope. */
  readonly region: string | undefined;
  readonly authorization: string;
}

export type AwsFault =
  | { readonly kind: 'Error'; readonly httpStatus: number; readonly code: string; readonly message: string }
  | { readonly kind: 'Raw'; readonly httpStatus: number; readonly body: string }
  | { readonly kind: 'Hang' }
  | { readonly kind: 'Reset' };

export interface AwsStandInOptions {
  readonly clock?: Clock;
  /** How long the credentials last; default an hour. */
  readonly lifeMs?: number;
}

interface Answer {
  readonly httpStatus: number;
  readonly body: string;
}

export async function startAwsStandIn({
  clock = systemClock,
  lifeMs = 3_600_000,
}: AwsStandInOptions = {}): Promise<AwsStandIn> {
  const calls: AwsCall[] = [];
  const refused = new Map<string, string>();
  let faults: { readonly fault: AwsFault; times: number }[] = [];
  let sessions = 0;

  const newSession = (): Session => {
    sessions += 1;
    const expiration = new Date(clock.nowMs() + lifeMs).toISOString().replace(/\.\d+Z$/, 'Z');
    return { id: `ASIASESSION${sessions}`, number: sessions, expiration };
  };
  const answer = (call: AwsCall): Answer => {
    const code = call.accessKeyId === undefined ? undefined : refused.get(call.accessKeyId);
    if (code !== undefined)
      return stsError(403, code, 'The security token included in the request is refused');
    switch (call.operation) {
      case 'AssumeRole':
        return sessionDocument(call, newSession());
      case 'AssumeRoleWithWebIdentity':
        return standIn.tokens.includes(call.parameters.get('WebIdentityToken') ?? '')
          ? sessionDocument(call, newSession())
          : stsError(
              400,
              'InvalidIdentityToken',
              'No OpenIDConnect provider found in your account for the issuer',
            );
      case 'Agent':
        return standIn.tokens.includes(call.authorization)
          ? sessionJson(newSession())
          : json(400, { Code: 'InvalidTokenException', Message: 'the token is not one of this cluster' });
      default:
        return metadata(call, newSession);
    }
  };

  const server = createServer((request, response) => {
    void readCall(request).then((call) => {
      calls.push(call);
      const found = faults[0];
      if (found === undefined) {
        send(response, answer(call));
        return;
      }
      found.times -= 1;
      faults = faults.filter(({ times }) => times > 0);
      respond(response, found.fault, call);
    });
  });
  const listening = await listen(server);
  const standIn: AwsStandIn = {
    ...listening,
    agentUrl: `${listening.url}/v1/credentials`,
    tokens: [],
    calls,
    fail: (fault, times = 1) => void faults.push({ fault, times }),
    heal: () => {
      faults = [];
    },
    refuse: (accessKeyId, code) => void refused.set(accessKeyId, code),
  };
  return standIn;
}

interface Session {
  readonly id: string;
  readonly number: number;
  readonly expiration: string;
}

/** No log, condition or event may contain a text that begins so. */
const SECRET_OF_SESSION = 'SecretOfSession';

function secretOf({ number }: Session): { readonly key: string; readonly token: string } {
  return { key: `${SECRET_OF_SESSION}Key${number}`, token: `${SECRET_OF_SESSION}Token${number}` };
}

/** STS API Reference, AssumeRole and AssumeRoleWithWebIdentity, Examples. */
function sessionDocument({ operation, parameters }: AwsCall, session: Session): Answer {
  const { key, token } = secretOf(session);
  const role = (parameters.get('RoleArn') ?? '')
    .replace(':iam:', ':sts:')
    .replace(':role/', ':assumed-role/');
  return {
    httpStatus: 200,
    body: `<${operation}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${operation}Result><AssumedRoleUser><Arn>${escapeXml(role)}/${escapeXml(parameters.get('RoleSessionName') ?? '')}</Arn><AssumedRoleId>AROAEXAMPLE:session</AssumedRoleId></AssumedRoleUser><Credentials><AccessKeyId>${session.id}</AccessKeyId><SecretAccessKey>${key}</SecretAccessKey><SessionToken>${token}</SessionToken><Expiration>${session.expiration}</Expiration></Credentials></${operation}Result><ResponseMetadata><RequestId>c6104cbe-af31-11e0-8154-cbc7ccf896c7</RequestId></ResponseMetadata></${operation}Response>`,
  };
}

/** AWS SDKs and Tools Reference Guide, "Container credential provider"; EC2 User Guide, "Retrieve security credentials". */
function sessionJson(session: Session): Answer {
  const { key, token } = secretOf(session);
  const { id: AccessKeyId, expiration: Expiration } = session;
  return json(200, { Code: 'Success', AccessKeyId, SecretAccessKey: key, Token: token, Expiration });
}

/** EC2 User Guide, "Use IMDSv2": a token first, then the name of the role, then its credentials. */
function metadata({ parameters }: AwsCall, newSession: () => Session): Answer {
  const path = parameters.get('path') ?? '';
  if (path === '/latest/api/token') return { httpStatus: 200, body: 'imds-token' };
  return path.endsWith('/security-credentials/')
    ? { httpStatus: 200, body: 'instance-role' }
    : sessionJson(newSession());
}

function json(httpStatus: number, body: unknown): Answer {
  return { httpStatus, body: JSON.stringify(body) };
}

/** STS API Reference, "Common Error Types"; the Query API's form of an error. */
function stsError(httpStatus: number, code: string, message: string): Answer {
  return {
    httpStatus,
    body: `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error><RequestId>c6104cbe-af31-11e0-8154-cbc7ccf896c7</RequestId></ErrorResponse>`,
  };
}

function respond(response: ServerResponse, fault: AwsFault, { operation }: AwsCall): void {
  switch (fault.kind) {
    case 'Hang':
      return;
    case 'Reset':
      response.destroy();
      return;
    case 'Raw': {
      send(response, fault);
      return;
    }
    case 'Error': {
      const { httpStatus, code, message } = fault;
      send(
        response,
        operation === 'Agent'
          ? json(httpStatus, { Code: code, Message: message })
          : stsError(httpStatus, code, message),
      );
      return;
    }
  }
}

function send(response: ServerResponse, { httpStatus, body }: Answer): void {
  response.writeHead(httpStatus, { 'content-type': body.startsWith('<') ? 'text/xml' : 'application/json' });
  response.end(body);
}

async function readCall(request: IncomingMessage): Promise<AwsCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const path = request.url ?? '/';
  const parameters = new URLSearchParams(
    request.method === 'POST' ? Buffer.concat(chunks).toString() : { path },
  );
  const authorization = request.headers.authorization ?? '';
  const [, accessKeyId, region] = /Credential=([^/]+)\/\d+\/([^/]+)\//.exec(authorization) ?? [];
  const operation = parameters.get('Action') ?? (path.startsWith('/v1/credentials') ? 'Agent' : 'Metadata');
  return {
    operation,
    parameters: request.method === 'PUT' ? new URLSearchParams({ path }) : parameters,
    accessKeyId,
    region,
    authorization,
  };
}
