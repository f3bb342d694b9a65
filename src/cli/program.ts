import { Command } from 'commander';
import { oneLine } from '../foundation/one-line.ts';
import { BACKTEST } from './backtest.ts';
import { helpText, type CliCommand } from './command-help.ts';
import { EVALUATE } from './evaluate.ts';
import { RENDER } from './render.ts';
import { SERVE } from './serve.ts';
import { SIMULATE } from './simulate.ts';
import { VERSION } from './version.ts';

/** Every command, in the order of `help`. */
export const COMMANDS: readonly CliCommand[] = [SERVE, RENDER, EVALUATE, BACKTEST, SIMULATE];

/** The whole line. Flags without a command, `--help` among them, are those of `serve`; `help` lists the commands, `--version` says the product's. */
export function createProgram(): Command {
  const program = new Command('counterpoise').helpOption(false).version(VERSION, '--version');
  for (const { create, help } of COMMANDS) {
    const command = create().addHelpText('after', helpText(help));
    command.configureOutput({
      outputError: (text, write) =>
        write(`counterpoise ${command.name()}: ${oneLine(text.replace(/^error: /, ''))}\n`),
    });
    program.addCommand(command, { isDefault: help === SERVE.help });
  }
  return program;
}
