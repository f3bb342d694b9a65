/**
 * The hooks as a process of their own, before a metric and a target that always answer. Prints its address; what it logs
 * at the level of an error goes to standard error, so that silence there means no bug.
 */
import { startService } from '../../../src/cli/server.ts';
import { ok } from '../../../src/foundation/result.ts';
import { createLogger } from '../../../src/observability/log.ts';
import { testDeps, testSettings } from '../deps.ts';
import { value } from '../rebalance-world.ts';
import { setOf } from '../rebalance.ts';

const deps = testDeps({
  settings: testSettings('--listen=127.0.0.1:0', '--verify-parent=false'),
  logger: createLogger('error', { write: (line) => void process.stderr.write(line) }),
  metricSource: { read: () => Promise.resolve(value('3000')) },
  targetStore: {
    readSet: () => Promise.resolve(ok({ set: setOf(1, 8), asRead: undefined })),
    writeWeights: () => Promise.resolve(ok({ id: 'C1', status: 'PENDING' })),
    readChange: () => Promise.resolve(ok({ id: 'C1', status: 'INSYNC' })),
  },
});
const service = await startService(deps);
if (!service.ok) throw new Error(service.error);
process.stdout.write(`${service.value.url}\n`);
