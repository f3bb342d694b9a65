import { readFileSync } from 'node:fs';
import { request, type Agent } from 'node:https';
import type { Endpoint } from './credentials.ts';

export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
}

export interface ApiCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly token?: string;
  /** Sent as JSON; for PATCH as a JSON merge patch. */
  readonly body?: unknown;
}

const TIMEOUT_MS = 10_000;

/** One raw HTTPS call, for what clients hide: readiness in words, metrics, status codes of refusals. A new connection each, unless an agent keeps them. */
export async function callApi(
  { server, caFile, agent }: Endpoint & { readonly agent?: Agent },
  call: ApiCall,
): Promise<ApiAnswer> {
  const method = call.method ?? 'GET';
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(call.path, server),
      {
        method,
        ca: readFileSync(caFile),
        timeout: TIMEOUT_MS,
        agent: agent ?? false,
        headers: {
          'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
          ...(call.token === undefined ? {} : { authorization: `Bearer ${call.token}` }),
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.on('error', reject);
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`no answer in ${TIMEOUT_MS / 1000} s`)));
    sent.on('error', reject);
    sent.end(call.body === undefined ? undefined : JSON.stringify(call.body));
  });
}
