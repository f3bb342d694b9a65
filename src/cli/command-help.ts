import type { Command } from 'commander';

/** What a command says of itself beside its options: `--help` and docs/reference/cli.md are both made of it. */
export interface CommandHelp {
  /** Lines as they are to stand on a terminal. */
  readonly notes: string;
  readonly exits: readonly (readonly [code: number, meaning: string])[];
  readonly examples: readonly string[];
}

/** A command, made anew for each line that is read. */
export interface CliCommand {
  readonly create: () => Command;
  readonly help: CommandHelp;
}

/** What follows the options in `--help`. */
export function helpText({ notes, exits, examples }: CommandHelp): string {
  const codes = exits.map(([code, meaning]) => `${code} ${meaning}`).join(', ');
  const lines = examples.map((example) => `  ${example}`).join('\n');
  return `\n${notes}\n\nExit code: ${codes}.\n\nExamples:\n${lines}`;
}
