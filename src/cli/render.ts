import { Command, Option } from 'commander';
import { stringify } from 'yaml';
import { parseBalancerSpec } from '../api/balancer.ts';
import { BALANCER } from '../api/parent-kinds.ts';
import { decideBalancer, type Decision } from '../balancer/decide.ts';
import { observeBalancer } from '../balancer/observe.ts';
import type { BalancerSettings } from '../balancer/settings.ts';
import { defineFlags, givenFlags, readSettings } from '../config/parse.ts';
import type { DesiredObject } from '../kubernetes/objects.ts';
import type { ObservedParent } from '../kubernetes/metacontroller.ts';
import type { CliCommand, CommandHelp } from './command-help.ts';
import { alignColumns } from './report/format.ts';
import { NO_UID, readManifest } from './manifest.ts';

const FORMATS = ['yaml', 'json', 'table'] as const;
type Format = (typeof FORMATS)[number];

const HELP: CommandHelp = {
  notes: `The children are those of a Balancer that is new to the hook, rendered by the same functions. Their names carry the
resource id: status.resourceId of the file, else spec.resourceId, else one derived from metadata.uid. The flags of
the group Balancer, and their twins in the environment, mean what they mean for serve.`,
  exits: [
    [0, 'printed'],
    [1, 'a bad spec, or another error'],
  ],
  examples: [
    'counterpoise render -f balancer.yaml',
    'counterpoise render -f balancer.yaml --environmentd-sql-port 6877 | kubectl diff -f -',
    'kubectl get balancer main -o yaml | counterpoise render -f - -o json',
  ],
};

/** `render`: what the hook would answer as children, without a cluster. */
export const RENDER: CliCommand = { create: renderCommand, help: HELP };

function renderCommand(): Command {
  const command = new Command('render')
    .summary('print the children of a Balancer')
    .description('Prints the Deployment, Service and Certificate that the hook wants for a Balancer.')
    .requiredOption('-f, --filename <file>', 'file with one Balancer; - is standard input')
    .addOption(new Option('-o, --output <format>', 'form of the output').choices(FORMATS).default('yaml'));
  return defineFlags(command, ['Balancer']).action((options: { filename: string; output: Format }) => {
    const settings = readSettings(givenFlags(command), process.env);
    if (!settings.ok) return command.error(settings.error);
    const parent = readManifest('--filename', options.filename, BALANCER);
    if (!parent.ok) return command.error(parent.error);
    const decision = decideChildren(parent.value, settings.value.balancer);
    for (const line of remarksOn(decision, parent.value)) process.stderr.write(`${line}\n`);
    if (decision.kind === 'Held') process.exitCode = 1;
    else process.stdout.write(writeChildren(decision.children, options.output));
  });
}

/** What the hook decides at a Balancer's first sync, when no child exists yet. */
export function decideChildren(parent: ObservedParent, settings: BalancerSettings): Decision {
  const request = { parent, children: [], managedKinds: new Set<string>(), finalizing: false };
  return decideBalancer(observeBalancer(request, parseBalancerSpec(parent.spec), settings, 0));
}

/** A line for each thing that a person must know beside the children; problems where the spec is bad. */
export function remarksOn(decision: Decision, { metadata }: ObservedParent): readonly string[] {
  if (decision.kind === 'Held') return decision.problems.map(({ path, message }) => `${path}: ${message}`);
  const { unknownFields, blueprint } = decision;
  const isDerived = metadata.uid === NO_UID && blueprint.spec.resourceId === undefined;
  return [
    ...unknownFields.map((path) => `${path}: unknown, and ignored`),
    ...(isDerived
      ? [`metadata.uid: missing, so the names are not those of a cluster; set spec.resourceId to choose them`]
      : []),
  ];
}

/** YAML documents, a v1 List as JSON, or a table of what there is. */
export function writeChildren(children: readonly DesiredObject[], format: Format): string {
  if (format === 'json')
    return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: children }, null, 2)}\n`;
  if (format === 'table') {
    const rows = children.map(({ apiVersion, kind, metadata }) => [apiVersion, kind, metadata.name]);
    return alignColumns([['APIVERSION', 'KIND', 'NAME'], ...rows]);
  }
  return children
    .map((child) => stringify(child, { lineWidth: 0, aliasDuplicateObjects: false }))
    .join('---\n');
}
