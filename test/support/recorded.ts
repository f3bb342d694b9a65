import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SyncBody } from './metacontroller/sync.ts';

/** One exchange of a real Metacontroller v4.17.2 with a throw-away hook, on a real kube-apiserver v1.36.3. */
export interface Exchange {
  readonly name: string;
  readonly path: string;
  readonly body: SyncBody;
  readonly answer: Readonly<Record<string, unknown>>;
}

const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'recorded');

/** The recorded exchanges, in the order in which they happened. */
export function recordedExchanges(): readonly Exchange[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const { request, response } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as {
        readonly request: { readonly path: string; readonly body: SyncBody };
        readonly response: { readonly body: Readonly<Record<string, unknown>> };
      };
      return {
        name: file.replace('.json', ''),
        path: request.path,
        body: request.body,
        answer: response.body,
      };
    });
}
