import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where what the e2e tests build or download is kept, outside the tree: it survives `git clean` and fresh clones. */
function cacheRoot(): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'counterpoise');
}

/**
 * The directory of the cache that `key` names, filled by `fill` where it does not exist yet. The key says everything
 * that decides the content. `fill` works in a directory beside it that is renamed when it is done: a half filled one
 * never counts, and of two runs that fill it at once the first wins.
 */
export async function cached(key: string, fill: (directory: string) => Promise<void>): Promise<string> {
  const directory = join(cacheRoot(), key);
  if (await exists(directory)) return directory;
  await mkdir(cacheRoot(), { recursive: true });
  const workshop = await mkdtemp(`${directory}.`);
  try {
    await fill(workshop);
    await rename(workshop, directory).catch(async (error: unknown) => {
      if (!(await exists(directory))) throw error;
    });
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
  return directory;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
