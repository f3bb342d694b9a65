import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import type { ParentKind } from '../api/parent-kinds.ts';
import { isRecord } from '../foundation/record.ts';
import { err, ok, type Result } from '../foundation/result.ts';
import { parseSyncRequest, type ObservedParent } from '../kubernetes/metacontroller.ts';

/** Stands in for the uid that the API server gives; a file that was not read from a cluster has none. */
export const NO_UID = '00000000-0000-0000-0000-000000000000';

/** The text of a file, `-` being standard input; the error is one line that says why there is none. */
export function readText(path: string): Result<string, string> {
  try {
    return ok(readFileSync(path === '-' ? 0 : path, 'utf8'));
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    return err(code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code ?? String(thrown)})`);
  }
}

/** The one object of a kind in a YAML or JSON file, as a hook would be handed it; `path` is of the flag's value. */
export function readManifest(flag: string, path: string, wanted: ParentKind): Result<ObservedParent, string> {
  const text = readText(path);
  const parent = text.ok ? parseManifest(text.value, wanted) : text;
  return parent.ok ? parent : err(`${flag} ${path}: ${parent.error}`);
}

/**
 * The one object of a kind in a text of YAML documents (JSON is YAML), whatever else stands beside it. What only a
 * cluster gives is filled in: namespace `default`, the uid of zeros, generation 1.
 */
export function parseManifest(
  text: string,
  { kind, apiVersion }: ParentKind,
): Result<ObservedParent, string> {
  const documents = parseAllDocuments(text);
  const broken = ('empty' in documents ? [] : documents).flatMap(({ errors }) => errors)[0];
  if (broken !== undefined) return err(`not YAML: ${broken.message.split('\n')[0] ?? ''}`);
  const objects = documents.map((document) => document.toJS() as unknown).filter(isRecord);
  const [object, another] = objects.filter((each) => each['kind'] === kind);
  if (object === undefined) return err(`expected a ${kind}, found ${kindsOf(objects)}`);
  if (another !== undefined) return err(`expected one ${kind}, found several`);
  if (object['apiVersion'] !== apiVersion) return err(`apiVersion: expected ${apiVersion}`);
  const metadata = isRecord(object['metadata']) ? object['metadata'] : {};
  const whole = { namespace: 'default', uid: NO_UID, generation: 1, ...metadata };
  const request = parseSyncRequest({ parent: { ...object, metadata: whole } });
  if (request.ok) return ok(request.value.parent);
  return err(`${request.error.path.replace(/^parent\./, '')}: ${request.error.expected}`);
}

function kindsOf(objects: readonly Readonly<Record<string, unknown>>[]): string {
  const kinds = objects.flatMap((object) => (typeof object['kind'] === 'string' ? [object['kind']] : []));
  return kinds.length === 0 ? 'none' : kinds.join(', ');
}
