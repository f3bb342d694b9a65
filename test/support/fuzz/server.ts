/**
 * The hooks as a process of their own, before a metric and a target that always answer. Prints its address; what it logs
 * at the level of an error goes to standard error, so that silence there means no bug.
 */
import { startService } from '../../../src/cli/server.ts';
import { createLogger } from '../../../src/observability/log.ts';
import { testDeps, testSettings } from '../deps.ts';
import { ANSWERING } from './answering.ts';

const deps = testDeps({
  settings: testSettings('--listen=127.0.0.1:0', '--verify-parent=false'),
  logger: createLogger('error', { write: (line) => void process.stderr.write(line) }),
  ...ANSWERING,
});
const service = await startService(deps);
if (!service.ok) throw new Error(service.error);
process.stdout.write(`${service.value.url}\n`);
