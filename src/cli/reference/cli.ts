import type { Command, Option } from 'commander';
import type { CliCommand } from '../command-help.ts';
import { COMMANDS } from '../program.ts';
import { code, generatedFrom, page, table } from './markdown.ts';

/** docs/reference/cli.md: every command as the program has it, from what `--help` is made of too. */
export function cliPage(): string {
  return page(
    generatedFrom('src/cli/program.ts'),
    '# Command line',
    '`counterpoise <command>` is `npm start --silent -- <command>` in the sources (without `--silent` npm prints lines of its own, which no pipe wants) and `node dist/main.js <command>` in the image; without a command it is `serve`; `--version` alone prints the version. Results go to standard output, what a person should know beside them to standard error; an error is one line there.',
    ...COMMANDS.flatMap(commandBlocks),
  );
}

function commandBlocks({ create, help }: CliCommand): readonly string[] {
  const command = create();
  const own = command.options.filter(({ helpGroupHeading }) => helpGroupHeading === undefined);
  return [
    `## ${command.name()}`,
    command.description(),
    ...(own.length === 0 ? [] : [table(['Option', 'Default', 'Meaning'], own.map(optionRow))]),
    ...flagsNote(command),
    help.notes,
    table(
      ['Exit code', 'Meaning'],
      help.exits.map(([exit, meaning]) => [code(String(exit)), meaning]),
    ),
    ['```', ...help.examples, '```'].join('\n'),
  ];
}

function optionRow(option: Option): readonly string[] {
  const { flags, mandatory, argChoices, description } = option;
  const byDefault: unknown = option.defaultValue;
  const choices = argChoices === undefined ? '' : `: ${argChoices.map(code).join(', ')}`;
  const value =
    byDefault === undefined
      ? ''
      : code(typeof byDefault === 'string' ? byDefault : JSON.stringify(byDefault));
  return [code(flags), mandatory && value === '' ? 'required' : value, `${description}${choices}`];
}

/** Flags of the service stand in flags.md, by their groups. */
function flagsNote({ options }: Command): readonly string[] {
  const groups = new Set(
    options.flatMap(({ helpGroupHeading }) => helpGroupHeading?.replace(/:$/, '') ?? []),
  );
  return groups.size === 0 ? [] : [`It takes the [flags](flags.md) of ${[...groups].join(', ')}.`];
}
