import { readFileSync } from 'node:fs';
import { Agent, request, type RequestOptions } from 'node:https';
import { createInterface } from 'node:readline';
import { callApi, type ApiAnswer, type ApiCall } from './api.ts';
import type { Endpoint } from './credentials.ts';

/** One client of the API server: its connections, which are kept, and its token. */
export interface ApiClient {
  call(call: Omit<ApiCall, 'token'>): Promise<ApiAnswer>;
  /** A GET whose answer is a line of JSON per event, until the server or `signal` ends it; throws when it breaks. */
  stream(path: string, signal: AbortSignal, onLine: (line: string) => void): Promise<void>;
  close(): void;
}

export function createApiClient(endpoint: Endpoint, token: string): ApiClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 40 });
  const ca = readFileSync(endpoint.caFile);
  return {
    call: (call) => callApi({ ...endpoint, agent }, { ...call, token }),
    stream: (path, signal, onLine) =>
      stream(
        new URL(path, endpoint.server),
        { ca, signal, headers: { authorization: `Bearer ${token}` } },
        onLine,
      ),
    close: () => agent.destroy(),
  };
}

async function stream(url: URL, options: RequestOptions, onLine: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { ...options, agent: false }, (response) => {
      if (response.statusCode !== 200) {
        response.resume();
        reject(new Error(`status ${response.statusCode ?? 0}`));
        return;
      }
      response.on('error', reject).on('end', () => resolve());
      createInterface({ input: response }).on('line', onLine).on('error', reject);
    })
      .on('error', reject)
      .end();
  });
}
