import { Command } from 'commander';
import { backtestCommand } from './cli/backtest.ts';
import { evaluateCommand } from './cli/evaluate.ts';
import { renderCommand } from './cli/render.ts';
import { serveCommand } from './cli/serve.ts';
import { simulateCommand } from './cli/simulate.ts';
import { oneLine } from './foundation/one-line.ts';

/** Flags without a command, `--help` among them, are those of `serve`; `help` lists the commands. */
const program = new Command('counterpoise')
  .helpOption(false)
  .addCommand(serveCommand(), { isDefault: true })
  .addCommand(renderCommand())
  .addCommand(evaluateCommand())
  .addCommand(backtestCommand())
  .addCommand(simulateCommand());

for (const command of program.commands) {
  command.configureOutput({
    outputError: (text, write) =>
      write(`counterpoise ${command.name()}: ${oneLine(text.replace(/^error: /, ''))}\n`),
  });
}

// `counterpoise render | head` ends early, which is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

await program.parseAsync(process.argv);
