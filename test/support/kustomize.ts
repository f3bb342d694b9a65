import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** The root of the repository. */
export const ROOT = join(import.meta.dirname, '..', '..');

/** An object of a manifest, as far as tests look into it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Record<string, string>;
  };
  readonly [key: string]: unknown;
}

/** What renders a kustomization on this machine: kubectl, else kustomize, else nothing. */
export const KUSTOMIZE: readonly string[] | undefined = [
  ['kubectl', 'kustomize'],
  ['kustomize', 'build'],
].find(
  ([command = '']) => spawnSync(command, ['version', '--help'], { stdio: 'ignore' }).error === undefined,
);

const rendered = new Map<string, readonly Manifest[]>();

/** The objects of a kustomization, by its directory from the root of the repository; each is rendered once. */
export function render(directory: string): readonly Manifest[] {
  const objects = rendered.get(directory) ?? renderAnew(directory);
  rendered.set(directory, objects);
  return objects;
}

function renderAnew(directory: string): readonly Manifest[] {
  const [command = '', ...args] = KUSTOMIZE ?? [];
  const { status, stdout, stderr } = spawnSync(command, [...args, join(ROOT, directory)], {
    encoding: 'utf8',
  });
  if (status !== 0 || stderr !== '') throw new Error(`${directory} does not render: ${stderr}`);
  return parseObjects(stdout);
}

/** The objects of a YAML text, in order; a syntax error is thrown. */
export function parseObjects(text: string): readonly Manifest[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors[0] !== undefined) throw document.errors[0];
    return document.toJS() as Manifest;
  });
}
