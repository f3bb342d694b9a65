import { once } from 'node:events';
import { Command } from 'commander';
import { defineFlags, givenFlags, readSettings } from '../config/parse.ts';
import type { Settings } from '../config/settings.ts';
import { createLogger } from '../observability/log.ts';
import type { CliCommand, CommandHelp } from './command-help.ts';
import { createDeps } from './deps.ts';
import { startService } from './server.ts';
import { VERSION } from './version.ts';

const HELP: CommandHelp = {
  notes: `Every flag has a twin in the environment: --hook-budget is COUNTERPOISE_HOOK_BUDGET; the line wins.
Other commands, each with its own --help: render, evaluate, backtest, simulate.
A boolean is given as --observe-only, --observe-only=true or --observe-only=false.`,
  exits: [
    [0, 'stopped by SIGTERM or SIGINT, and all that ran has finished'],
    [1, 'not started, or what still ran at the end of --shutdown-grace was cut off'],
  ],
  examples: [
    'npm start -- --listen 127.0.0.1:8080 --verify-parent=false   # for curl, without a cluster',
    'npm start -- --hooks=rebalance --observe-only                # every Rebalance a dry run',
    'npm start -- --balancerd-node-selector disk=ssd --balancerd-node-selector zone=a',
    'COUNTERPOISE_BALANCERD_NODE_SELECTOR=disk=ssd,zone=a npm start',
  ],
};

/** `serve`: the hooks over HTTP until SIGTERM or SIGINT. */
export const SERVE: CliCommand = { create: serveCommand, help: HELP };

function serveCommand(): Command {
  const command = defineFlags(new Command('serve'))
    .summary('serve the hooks (the default)')
    .description('Serves the sync hooks of Balancer and Rebalance to Metacontroller over HTTP.')
    // It is the default: what is no command comes here.
    .allowExcessArguments();
  return command.action(async () => {
    const [unknown] = command.args;
    if (unknown !== undefined)
      return command.error(
        `"${unknown}" is no command, which counterpoise help lists; the value of a boolean follows its flag as =true or =false`,
      );
    const settings = readSettings(givenFlags(command), process.env);
    if (!settings.ok) return command.error(settings.error);
    const failure = await serve(settings.value);
    if (failure !== undefined) command.error(failure);
  });
}

const LINGER_MS = 1_000;

/** Serves until a signal comes; a second one ends the process at once. The answer says why it could not be served. */
async function serve(settings: Settings): Promise<string | undefined> {
  const logger = createLogger(settings.logLevel);
  const deps = await createDeps(settings, logger);
  if (!deps.ok) return deps.error;
  const service = await startService(deps.value);
  if (!service.ok) return service.error;
  process.on('unhandledRejection', (thrown) => logger.error({ err: thrown }, 'unhandled rejection'));
  const { url } = service.value;
  logger.info({ version: VERSION, url, hooks: [...settings.hooks] }, `listening on ${url}`);

  const listening = new AbortController();
  const signal = await Promise.race(
    ['SIGTERM', 'SIGINT'].map(async (name) => {
      await once(process, name, { signal: listening.signal });
      return name;
    }),
  );
  listening.abort();
  logger.info({ signal }, 'stopping: what runs may finish');
  const isFinished = await service.value.stop(settings.shutdownGraceMs);
  if (isFinished) logger.info('stopped');
  else logger.warn('stopped; what still ran at the end of --shutdown-grace was cut off');
  process.exitCode = isFinished ? 0 : 1;
  // The process ends by itself once the log is written out; what others keep open must not hold it up for long.
  setTimeout(() => process.exit(), LINGER_MS).unref();
  return undefined;
}
