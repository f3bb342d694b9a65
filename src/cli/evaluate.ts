import { Command, Option } from 'commander';
import { REBALANCE } from '../api/parent-kinds.ts';
import { defineFlags, givenFlags, readSettings } from '../config/parse.ts';
import type { Settings } from '../config/settings.ts';
import { startDeadline } from '../foundation/deadline.ts';
import { err, type Result } from '../foundation/result.ts';
import { readRebalance } from '../hooks/rebalance-object.ts';
import { createLogger } from '../observability/log.ts';
import type { CliCommand, CommandHelp } from './command-help.ts';
import { createDeps } from './deps.ts';
import { evaluate, isChangeDue, type Evaluation } from './evaluate/evaluate.ts';
import { EVALUATION_FORMATS, tellEvaluation, type EvaluationFormat } from './evaluate/tell.ts';
import { readManifest } from './manifest.ts';

/** A change of the weight is due. */
const CHANGE_DUE = 2;

const HELP: CommandHelp = {
  notes: `Asks the Prometheus and reads the records that the spec names, decides as the hook would, and writes nothing. What the
object remembers is read from the file's status, so that of a file from a cluster counts. Secrets are read through
--kubeconfig or KUBECONFIG; credentials of AWS come as for the service.`,
  exits: [
    [0, 'no change is due'],
    [CHANGE_DUE, 'a change is due'],
    [1, 'an error'],
  ],
  examples: [
    'counterpoise evaluate -f rebalance.yaml',
    'kubectl get rebalance main -o yaml | counterpoise evaluate -f - -o yaml',
    'counterpoise evaluate -f rebalance.yaml --route53-endpoint http://127.0.0.1:5000 -o json',
  ],
};

/** `evaluate`: one attempt now, explained, without its write. */
export const EVALUATE: CliCommand = { create: evaluateCommand, help: HELP };

function evaluateCommand(): Command {
  const command = new Command('evaluate')
    .summary('decide once, now, and explain it')
    .description('Decides the weight of a Rebalance now, stage by stage, and writes nothing.')
    .requiredOption('-f, --filename <file>', 'file with one Rebalance; - is standard input')
    .addOption(
      new Option('-o, --output <format>', 'form of the output').choices(EVALUATION_FORMATS).default('table'),
    );
  return defineFlags(command, ['Kubernetes', 'Rebalance']).action(
    async (options: { filename: string; output: EvaluationFormat }) => {
      const settings = readSettings(givenFlags(command), process.env);
      if (!settings.ok) return command.error(settings.error);
      const evaluation = await run(options.filename, settings.value);
      if (!evaluation.ok) return command.error(evaluation.error);
      process.stdout.write(tellEvaluation(evaluation.value, options.output));
      if (isChangeDue(evaluation.value)) process.exitCode = CHANGE_DUE;
    },
  );
}

async function run(path: string, settings: Settings): Promise<Result<Evaluation, string>> {
  const parent = readManifest('--filename', path, REBALANCE);
  if (!parent.ok) return parent;
  const deps = await createDeps(settings, createLogger('silent'));
  if (!deps.ok) return deps;
  const object = readRebalance(parent.value, settings.rebalance);
  const context = { deps: deps.value, nowMs: Date.now(), deadline: startDeadline(settings.hookBudgetMs) };
  const evaluation = await evaluate(object, context);
  return evaluation.ok ? evaluation : err(`--filename ${path}: ${evaluation.error}`);
}
