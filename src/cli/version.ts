import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** As deep beneath package.json in src/ as in dist/. */
const MANIFEST = new URL('../../package.json', import.meta.url);

/** The version of the product that runs, as package.json has it: `0.1.0`. */
export const VERSION = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(MANIFEST, 'utf8'))).version;
