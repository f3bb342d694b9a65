import type { Result } from '../foundation/result.ts';
import type { ApiFailure } from './api.ts';
import type { KubernetesConnection, Verb } from './connection.ts';

/** One request to the Kubernetes API, as it is counted: every member has few values, whoever asks for whatever. */
export interface CountedRequest {
  readonly verb: Verb;
  readonly resource: string;
  readonly outcome: (typeof OUTCOMES)[ApiFailure['kind']] | 'ok';
}

/** What the hooks read and write, as the ClusterRoles name it. */
const RESOURCES: ReadonlySet<string> = new Set([
  'balancers',
  'certificates',
  'deployments',
  'events',
  'rebalances',
  'secrets',
  'services',
]);

const OUTCOMES = {
  NotFound: 'not_found',
  Forbidden: 'forbidden',
  Conflict: 'conflict',
  Unavailable: 'unavailable',
} as const satisfies Readonly<Record<ApiFailure['kind'], string>>;

/** The same connection, which tells `onRequest` of each request once it has ended: each page of a list is one. */
export function counted(
  connection: KubernetesConnection,
  onRequest: (request: CountedRequest) => void,
): KubernetesConnection {
  return async (request) => {
    const answer = await connection(request);
    const { verb, resource } = request;
    onRequest({ verb, resource: RESOURCES.has(resource) ? resource : 'other', outcome: outcomeOf(answer) });
    return answer;
  };
}

function outcomeOf(answer: Result<unknown, ApiFailure>): CountedRequest['outcome'] {
  return answer.ok ? 'ok' : OUTCOMES[answer.error.kind];
}
