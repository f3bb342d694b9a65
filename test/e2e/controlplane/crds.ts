import { join } from 'node:path';
import { moduleDirectory } from '../tools/build.ts';
import type { ControlPlane } from './control-plane.ts';

const REPOSITORY = join(import.meta.dirname, '..', '..', '..');

/** Applies the CRDs that this repository ships, as `make install` does, and waits until the API server serves them. */
export async function installOwnCrds(plane: ControlPlane): Promise<void> {
  await installCrds(plane, ['-k', join(REPOSITORY, 'crds')]);
}

/** Applies cert-manager's CRDs, and nothing else of it: Certificates are stored and never issued. */
export async function installCertManagerCrds(plane: ControlPlane): Promise<void> {
  const module = await moduleDirectory('cert-manager', 'github.com/cert-manager/cert-manager');
  await installCrds(plane, ['-f', join(module, 'deploy', 'crds')]);
}

/** `source`: kubectl's -f or -k. Applied by the server, since some CRDs exceed what an annotation holds. */
export async function installCrds(plane: ControlPlane, source: readonly string[]): Promise<void> {
  const applied = await plane.kubectl(['apply', '--server-side', ...source, '-o', 'name']);
  await plane.kubectl([
    'wait',
    '--for=condition=Established',
    '--timeout=30s',
    ...applied.trim().split('\n'),
  ]);
}
