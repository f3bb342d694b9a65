import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { STSClient } from '@aws-sdk/nested-clients/sts';
import { NodeHttpHandler } from '@smithy/node-http-handler';

/** How STS is reached. Its endpoint may come from AWS_ENDPOINT_URL_STS or the shared config, which the SDK reads. */
export interface StsConnection {
  readonly region: () => Promise<string>;
  /** Belongs to no client: one that is dropped leaves it alone. */
  readonly handler: NodeHttpHandler;
}

/** Connections that are kept and reused. */
export function createHandler(): NodeHttpHandler {
  return new NodeHttpHandler({
    httpAgent: new HttpAgent({ keepAlive: true }),
    httpsAgent: new HttpsAgent({ keepAlive: true }),
  });
}

/** Where AWS is called when nothing names a region. */
const DEFAULT_REGION = 'us-east-1';

/** What the SDK finds in AWS_REGION or the shared config, looked up once: another partition is chosen so. */
export function ambientRegion(): () => Promise<string> {
  let region: Promise<string> | undefined;
  return () => (region ??= new STSClient({}).config.region().catch(() => DEFAULT_REGION));
}

/** Every request ends with the signal, also those of clients that the SDK makes for itself and gives none. */
export function abortable(handler: NodeHttpHandler, abortSignal: AbortSignal): NodeHttpHandler {
  const handle: NodeHttpHandler['handle'] = (request, options) =>
    handler.handle(request, { ...options, abortSignal });
  return Object.assign(Object.create(handler) as NodeHttpHandler, { handle });
}
