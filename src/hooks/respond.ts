import { z } from 'zod';
import { childKindKey, type SyncResponse } from '../kubernetes/metacontroller.ts';

const stringMap = z.record(z.string(), z.string());

/** Keys that are Metacontroller's or the API server's to set. */
const notOurs = z.never().optional();

const child = z.looseObject({
  apiVersion: z.string().min(1),
  kind: z.string().min(1),
  metadata: z.looseObject({
    name: z.string().min(1),
    namespace: z.string().min(1),
    labels: stringMap.optional(),
    annotations: stringMap.optional(),
    ownerReferences: notOurs,
    resourceVersion: notOurs,
    uid: notOurs,
  }),
  status: notOurs,
});

/** What a sync hook may answer; an unknown key is refused by Metacontroller's strict decoder as well. */
const syncResponse = z.strictObject({
  status: z.record(z.string(), z.unknown()),
  children: z.array(child),
  resyncAfterSeconds: z.number().min(1).optional(),
});

/** The parent that is answered: its children live in its namespace and carry its uid. */
export interface AnsweredParent {
  readonly namespace: string;
  readonly uid: string;
}

/**
 * The JSON of an answer that was checked whole. One that breaks a rule is a bug and throws: Metacontroller would delete
 * what an answer leaves out, so there is no partial 200.
 */
export function renderResponse(response: SyncResponse, parent: AnsweredParent): string {
  const problem = schemaProblem(response) ?? childrenProblem(response, parent) ?? jsonProblem(response);
  if (problem !== undefined) throw new Error(`the hook's answer is wrong: ${problem}`);
  return JSON.stringify(response);
}

function schemaProblem(response: SyncResponse): string | undefined {
  const issue = syncResponse.safeParse(response).error?.issues[0];
  return issue === undefined ? undefined : `${issue.path.join('.')}: ${issue.message}`;
}

function childrenProblem(response: SyncResponse, parent: AnsweredParent): string | undefined {
  const seen = new Set<string>();
  for (const { apiVersion, kind, metadata } of response.children) {
    const key = `${childKindKey(apiVersion, kind)} ${metadata.name}`;
    if (seen.has(key)) return `two children are ${key}`;
    seen.add(key);
    if (metadata.namespace !== parent.namespace) return `${key} is in another namespace than its parent`;
    const controllerUid = metadata.labels?.['controller-uid'] ?? parent.uid;
    if (controllerUid !== parent.uid) return `${key} carries the controller-uid of another parent`;
  }
  return undefined;
}

function jsonProblem(response: SyncResponse): string | undefined {
  const problem = valueProblem(response);
  return problem === undefined ? undefined : `answer${problem}`;
}

/** The path of the first value that JSON cannot carry, or that Kubernetes would read as "remove this", and what it is. */
function valueProblem(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : ' is not a finite number';
    case 'object':
      return value === null ? ' is null' : entriesProblem(value);
    default:
      return ` is ${typeof value}`;
  }
}

/** The path is written on the way back from a problem: an answer without one, so every answer, costs no texts. */
function entriesProblem(value: object): string | undefined {
  for (const [key, item] of Object.entries(value)) {
    const problem = valueProblem(item);
    if (problem !== undefined) return `.${key}${problem}`;
  }
  return undefined;
}
