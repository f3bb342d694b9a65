import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { moduleDirectory } from '../tools/build.ts';
import type { ControlPlane } from './control-plane.ts';

const REPOSITORY = join(import.meta.dirname, '..', '..', '..');

/** Applies the CRDs that this repository ships (crds/) and waits until the API server serves them. */
export async function installOwnCrds(plane: ControlPlane): Promise<void> {
  await installCrds(plane, join(REPOSITORY, 'crds'));
}

/** Applies cert-manager's CRDs, and nothing else of it: Certificates are stored and never issued. */
export async function installCertManagerCrds(plane: ControlPlane): Promise<void> {
  const module = await moduleDirectory('cert-manager', 'github.com/cert-manager/cert-manager');
  await installCrds(plane, join(module, 'deploy', 'crds'));
}

/** `path`: a file or directory of CustomResourceDefinitions. Server-side, since some exceed what an annotation holds. */
export async function installCrds(plane: ControlPlane, path: string): Promise<void> {
  if (!existsSync(path)) throw new Error(`no CRDs at ${path}`);
  await plane.kubectl(['apply', '--server-side', '-f', path]);
  await plane.kubectl(['wait', '--for=condition=Established', '--timeout=30s', '-f', path]);
}
