/**
 * `make bench`: syncs per second and latency of each hook beside a bare node:http server that does no more than HTTP and
 * JSON with the same bodies; memory over many syncs; time from start to ready; a week replayed by
 * `backtest`. Prints a table and writes bench.json.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Service } from '../support/service.ts';
import { load, median } from './load.ts';
import { startMeasured, startStandIns, type StandIns } from './parts.ts';
import { machine, toMarkdown, type Report } from './report.ts';
import { replayWeek } from './week.ts';
import { compare, prepareScenarios, type Comparison, type Scenario } from './scenarios.ts';

const REPORT_FILE = join(import.meta.dirname, '..', '..', 'bench.json');
const STARTS = 5;

interface Effort {
  readonly rounds: number;
  readonly seconds: number;
  readonly syncs: number;
}

function readEffort(): Effort {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
      syncs: { type: 'string', default: '100000' },
    },
  });
  return { rounds: Number(values.rounds), seconds: Number(values.seconds), syncs: Number(values.syncs) };
}

async function bench(directory: string, effort: Effort): Promise<Report> {
  const standIns = await startStandIns(directory);
  say(`starting ${STARTS} times`);
  const readyMs = await timeToReady(directory, standIns);
  const service = await startMeasured(directory, standIns);
  const scenarios = await prepareScenarios(service, standIns, directory);
  const comparisons: Comparison[] = [];
  for (const scenario of scenarios) {
    say(scenario.name);
    comparisons.push(await compare(scenario, effort.rounds, effort.seconds));
  }
  const memory = await memoryOver(effort.syncs, service, scenarios);
  await service.stop();
  say('a week, replayed');
  const week = await replayWeek(directory);
  return { machine: machine(), node: process.version, comparisons, memory, readyMs, week };
}

async function timeToReady(directory: string, standIns: StandIns): Promise<number> {
  const times: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const service = await startMeasured(directory, standIns);
    times.push(service.readyAfterMs);
    await service.stop();
  }
  return median(times);
}

/** RSS of the service, warm from all that was measured, before and after `syncs` syncs of the first scenario. */
async function memoryOver(
  syncs: number,
  service: Service,
  [scenario]: readonly Scenario[],
): Promise<Report['memory']> {
  if (scenario === undefined) throw new Error('there is no scenario');
  say(`${syncs} syncs for memory`);
  const beforeMb = await residentMb(service);
  await load(scenario.hookUrl, scenario.body, { amount: syncs });
  return { syncs, beforeMb, afterMb: await residentMb(service) };
}

async function residentMb(service: Service): Promise<number> {
  const metrics = await fetch(`${service.url}/metrics`).then((response) => response.text());
  const bytes = /^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1];
  return Number(bytes) / 1_000_000;
}

function say(line: string): void {
  process.stderr.write(`bench: ${line}\n`);
}

const directory = mkdtempSync(join(tmpdir(), 'counterpoise-bench-'));
const startMs = performance.now();
try {
  const report = await bench(directory, readEffort());
  writeFileSync(REPORT_FILE, `${JSON.stringify(report, null, 2)}\n`);
  process.stdout.write(`${toMarkdown(report)}\n`);
  say(`took ${((performance.now() - startMs) / 1000).toFixed(0)} s; figures are in bench.json`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
// The bare servers and stand-ins end with this process.
process.exit(0);
