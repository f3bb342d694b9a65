import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess } from '../support/process.ts';
import { median } from './load.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MINUTES = 7 * 24 * 60;
const RUNS = 3;

/** What it takes to replay a week of minutes, as a user does it: from the start of the process to its end. */
export interface Week {
  readonly points: number;
  readonly seconds: number;
  /** Of all cores together: what is left where nothing else runs. */
  readonly cpuSeconds: number;
  readonly peakMb: number;
}

/** Replays a made-up week through docs/backtest/load.yaml to a page, with the compiled commands, some times over. */
export async function replayWeek(directory: string): Promise<Week> {
  const series = join(directory, 'week.csv');
  writeFileSync(series, weekOfMinutes());
  const runs: Omit<Week, 'points'>[] = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await replay(directory, series));
  return {
    points: MINUTES,
    seconds: median(runs.map(({ seconds }) => seconds)),
    cpuSeconds: median(runs.map(({ cpuSeconds }) => cpuSeconds)),
    peakMb: Math.max(...runs.map(({ peakMb }) => peakMb)),
  };
}

async function replay(directory: string, series: string): Promise<Omit<Week, 'points'>> {
  const usageFile = join(directory, 'usage.json');
  const spec = join(ROOT, 'docs', 'backtest', 'load.yaml');
  const page = ['-o', 'html', '--out', join(directory, 'week.html')];
  const line = ['backtest', '-f', spec, '--file', series, '--reference-weight', '64', ...page];
  const preload = ['--import', join(import.meta.dirname, 'usage.ts')];
  const startMs = performance.now();
  await runProcess({
    name: 'backtest',
    command: process.execPath,
    args: [...preload, join(ROOT, 'dist', 'main.js'), ...line],
    env: { USAGE_FILE: usageFile },
  });
  const seconds = (performance.now() - startMs) / 1000;
  const usage = JSON.parse(readFileSync(usageFile, 'utf8')) as NodeJS.ResourceUsage;
  const cpuSeconds = (usage.userCPUTime + usage.systemCPUTime) / 1_000_000;
  return { seconds, cpuSeconds, peakMb: (usage.maxRSS * 1024) / 1_000_000 };
}

/** A day's wave from 500 to 3000, seven times, as a site without a second one saw it. */
function weekOfMinutes(): string {
  const rows = Array.from({ length: MINUTES }, (_, minute) => {
    const wave = (1 - Math.cos((2 * Math.PI * minute) / (24 * 60))) / 2;
    return `${1_772_409_600 + 60 * minute},${Math.round(500 + 2500 * wave)},0\n`;
  });
  return ['time,value,weight\n', ...rows].join('');
}
