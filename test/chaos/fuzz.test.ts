import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCampaign } from '../support/fuzz/campaign.ts';
import { startProcess, waitReady, type RunningProcess } from '../support/process.ts';
import { arrived, notYet } from '../support/wait.ts';

const SEED = Number(process.env['FUZZ_SEED'] ?? 20261130);
const BODIES = Number(process.env['FUZZ_BODIES'] ?? 50_000);
/** Above the memory once warm, a fifth into the campaign. */
const ROOM_MB = 60;

describe(`${BODIES} bent bodies at both hooks over HTTP (seed ${SEED})`, () => {
  let directory = '';
  let service: RunningProcess;
  let url = '';
  before(async function () {
    this.timeout(60_000);
    directory = mkdtempSync(join(tmpdir(), 'counterpoise-fuzz-'));
    const server = join(import.meta.dirname, '..', 'support', 'fuzz', 'server.ts');
    const program = { name: 'the hooks', command: process.execPath, args: [server] };
    service = await startProcess(program, join(directory, 'hooks.log'));
    url = await waitReady(service, 60_000, () => {
      const [address] = log().split('\n');
      return address === undefined || address === '' ? notYet('no address') : arrived(address);
    });
  });
  after(async () => {
    await service.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  function log(): string {
    return readFileSync(service.logFile, 'utf8');
  }

  async function residentMb(): Promise<number> {
    const text = await fetch(`${url}/metrics`).then((response) => response.text());
    return Math.round(Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 1e6);
  }

  it('are answered or refused, no child is dropped, nothing crashes, memory stays flat', async function () {
    this.timeout(30 * 60_000);
    const sizesMb: number[] = [];
    const tally = await runCampaign({
      url,
      seed: SEED,
      bodies: BODIES,
      onProgress: async () => void sizesMb.push(await residentMb()),
    });
    process.stderr.write(
      `    answers: ${JSON.stringify(tally)}\n    RSS after each tenth, MB: ${sizesMb.join(' ')}\n`,
    );
    assert.equal(service.ended(), undefined);
    assert.equal(log().trim(), url, 'no error in the log');
    // The heap takes its size in the first half: 200,000 bodies end where 60,000 do.
    const half = sizesMb.length / 2;
    const warm = Math.max(...sizesMb.slice(0, half));
    const later = sizesMb.slice(half);
    assert.ok(Math.max(...later) < warm + ROOM_MB, `grew from ${warm} MB: ${later.join(' ')}`);
  });
});
