import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProcess } from '../../support/process.ts';
import { buildTools } from '../tools/build.ts';
import type { ControlPlane } from './control-plane.ts';

const RUNBOOK = join(import.meta.dirname, '..', '..', '..', 'docs', 'runbook.md');

/** Runs the block ```sh <name> of docs/runbook.md as it stands there, in a shell that has kubectl and `variables`. */
export async function runFromRunbook(
  plane: ControlPlane,
  name: string,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const block = new RegExp(`\`\`\`sh ${name}\\n([\\s\\S]*?)\`\`\``).exec(readFileSync(RUNBOOK, 'utf8'));
  if (block?.[1] === undefined) throw new Error(`docs/runbook.md has no block "${name}"`);
  const { kubectl } = await buildTools(['kubectl']);
  return runProcess({
    name: `runbook: ${name}`,
    command: '/bin/sh',
    args: ['-euc', block[1]],
    env: {
      ...variables,
      KUBECONFIG: plane.kubeconfig,
      HOME: plane.directory,
      PATH: `${dirname(kubectl)}:/usr/bin:/bin`,
    },
  });
}
