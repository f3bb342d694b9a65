import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { oneLine } from '../foundation/one-line.ts';
import { isRecord } from '../foundation/record.ts';
import { err, ok, type Result } from '../foundation/result.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a kubeconfig says of its current context, with every path absolute. */
export interface CurrentContext {
  readonly cluster: Fields & { readonly server: string };
  /** Empty: the API server is asked anonymously. */
  readonly user: Fields;
}

export interface KubeconfigFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Reads the files of a kubeconfig as kubectl does those of KUBECONFIG: one that is not there is left out, as long as
 * another is. The error is one line: a file that cannot be read, or what of the context is missing.
 */
export function readKubeconfig(paths: readonly string[]): Result<CurrentContext, string> {
  const files: KubeconfigFile[] = [];
  for (const path of paths) {
    try {
      files.push({ path, text: readFileSync(path, 'utf8') });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') return err(oneLine(`cannot read the kubeconfig: ${message}`));
    }
  }
  return files.length === 0 ? err('there is no such file') : currentContext(files);
}

/**
 * What the files together say of the current context. As kubectl merges: of two current contexts, clusters, users or
 * contexts of one name that of the first file counts, whole; paths are relative to their file. Whatever else the files
 * hold may be as broken as it likes.
 */
export function currentContext(files: readonly KubeconfigFile[]): Result<CurrentContext, string> {
  const documents: Document[] = [];
  for (const file of files) {
    const document = parseFile(file);
    if (!document.ok) return document;
    documents.push(document.value);
  }
  const current = documents.map(({ fields }) => fields['current-context']).find(isName);
  if (current === undefined)
    return err('the kubeconfig has no current-context: kubectl config use-context sets one');
  const context = find(documents, 'context', current);
  if (!context.ok) return context;

  const { cluster: clusterName, user: userName } = context.value.fields;
  const cluster = find(documents, 'cluster', clusterName);
  if (!cluster.ok) return cluster;
  const { server } = cluster.value.fields;
  if (!isName(server))
    return err(`cluster "${oneLine(String(clusterName))}" of the kubeconfig has no server`);
  const user = isName(userName) ? find(documents, 'user', userName) : undefined;
  if (user?.ok === false) return user;
  return ok({
    cluster: { ...withPaths(cluster.value, ['certificate-authority']), server },
    user: user === undefined ? {} : absoluteUser(user.value),
  });
}

/** Fields, and the file that they stand in. */
interface Document {
  readonly path: string;
  readonly fields: Fields;
}

/** An empty file says nothing. */
function parseFile({ path, text }: KubeconfigFile): Result<Document, string> {
  try {
    const fields: unknown = parse(text) ?? {};
    return isRecord(fields)
      ? ok({ path, fields })
      : err(oneLine(`the kubeconfig ${path} is no mapping of clusters, users and contexts`));
  } catch (error) {
    const [why = ''] = (error as Error).message.split('\n');
    return err(oneLine(`the kubeconfig ${path} is no YAML: ${why.replace(/:$/, '')}`));
  }
}

/** The first of a name, in the order of the files. */
function find(
  documents: readonly Document[],
  kind: 'context' | 'cluster' | 'user',
  name: unknown,
): Result<Document, string> {
  if (!isName(name)) return err(`the current context of the kubeconfig names no ${kind}`);
  for (const { path, fields } of documents) {
    const list = fields[`${kind}s`];
    const entry = (Array.isArray(list) ? list : []).filter(isRecord).find((one) => one['name'] === name);
    if (entry !== undefined) return ok({ path, fields: isRecord(entry[kind]) ? entry[kind] : {} });
  }
  const whose = kind === 'context' ? 'is current' : 'its current context names';
  return err(`the kubeconfig has no ${kind} "${oneLine(name)}", which ${whose}`);
}

/** A plugin's command is a path where it has a slash; else it is looked for in PATH. */
function absoluteUser({ path, fields }: Document): Fields {
  const user = withPaths({ path, fields }, ['client-certificate', 'client-key', 'tokenFile']);
  const { exec } = user;
  if (!isRecord(exec) || !String(exec['command']).includes('/')) return user;
  return { ...user, exec: withPaths({ path, fields: exec }, ['command']) };
}

function withPaths({ path, fields }: Document, keys: readonly string[]): Fields {
  const absolute = keys.flatMap((key) => {
    const file = fields[key];
    return isName(file) ? [[key, resolve(dirname(path), file)] as const] : [];
  });
  return { ...fields, ...Object.fromEntries(absolute) };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
