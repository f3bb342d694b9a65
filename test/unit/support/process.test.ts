import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../support/ports.ts';
import { runProcess, startProcess, tail, waitReady, type Program } from '../../support/process.ts';
import { arrived, notYet, waitFor } from '../../support/wait.ts';

const PROCESS_MODULE = join(import.meta.dirname, '..', '..', 'support', 'process.ts');

function script(source: string, env: Readonly<Record<string, string>> = {}): Program {
  return { name: 'script', command: process.execPath, args: ['-e', source], env };
}

describe('a process of a test', () => {
  let directory: string;
  let logFile: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'counterpoise-test-'));
    logFile = join(directory, 'script.log');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('is ready when the probe has arrived, logs to its file, and ends by its own pid', async () => {
    const started = await startProcess(script('console.log("up"); setInterval(() => 0, 1000)'), logFile);
    const ready = await waitReady(started, 5000, () =>
      tail(logFile) === 'up' ? arrived('ready') : notYet('an empty log'),
    );
    assert.equal(ready, 'ready');
    assert.equal(started.ended(), undefined);
    await started.stop();
    assert.equal(started.ended(), 'was ended by SIGTERM');
    assert.throws(() => process.kill(started.pid, 0), { code: 'ESRCH' });
  });

  it('that ends early is not waited for: the error tells how it ended and what it logged', async () => {
    const started = await startProcess(script('console.error("no such flag"); process.exit(3)'), logFile);
    await assert.rejects(
      waitReady(started, 60_000, () => notYet('nothing')),
      /no use waiting for script to be ready: script exited with code 3\n--- end of .*\nno such flag/,
    );
  });

  it('that ignores SIGTERM is killed after its grace', async () => {
    const started = await startProcess(
      script('process.on("SIGTERM", () => 0); console.log("up"); setInterval(() => 0, 1000)'),
      logFile,
    );
    await waitReady(started, 5000, () => (tail(logFile) === 'up' ? arrived(undefined) : notYet('silence')));
    await started.stop({ graceMs: 50 });
    assert.equal(started.ended(), 'was ended by SIGKILL');
  });

  it('is killed when its parent is ended by a signal', async () => {
    const parent = script(
      `const { startProcess } = await import(${JSON.stringify(PROCESS_MODULE)});
       const child = { name: 'child', command: process.execPath, args: ['-e', 'setInterval(() => 0, 1000)'] };
       console.log((await startProcess(child, ${JSON.stringify(`${logFile}.child`)})).pid);
       setInterval(() => 0, 1000);`,
    );
    const started = await startProcess({ ...parent, args: ['--input-type=module', ...parent.args] }, logFile);
    const pid = await waitReady(started, 5000, () =>
      /^\d+$/.test(tail(logFile)) ? arrived(Number(tail(logFile))) : notYet(tail(logFile)),
    );
    await started.stop();
    await waitFor('the child to be gone', { deadlineMs: 5000, everyMs: 10 }, () => {
      try {
        process.kill(pid, 0);
        return notYet('it runs');
      } catch {
        return arrived(undefined);
      }
    });
  });

  it('sees PATH and what it is given, nothing else of our environment', async () => {
    const program = script('console.log(Object.keys(process.env).sort().join())', { MINE: '1', HOME: '/' });
    const names = (await runProcess(program)).trim().split(',');
    // Node hands NODE_V8_COVERAGE down by itself, to measure a child's coverage too.
    assert.deepEqual(
      names.filter((name) => name !== 'TMPDIR' && name !== 'NODE_V8_COVERAGE'),
      ['HOME', 'MINE', 'PATH'],
    );
  });

  it('run to its end gives its stdout, and throws with its stderr when it fails', async () => {
    assert.equal(await runProcess(script('process.stdin.pipe(process.stdout)'), 'in'), 'in');
    await assert.rejects(runProcess(script('console.error("because"); process.exit(1)')), {
      message: 'script failed: because',
    });
  });
});

describe('waitFor', () => {
  it('says what it waited for and what it saw last when the deadline has passed', async () => {
    let looks = 0;
    await assert.rejects(
      waitFor('a pod', { deadlineMs: 20, everyMs: 5 }, () => notYet(`look ${Math.min(++looks, 2)}`)),
      { message: 'waited 0.02 s for a pod; last seen: look 2' },
    );
  });

  it('takes an error of a look for something seen, with its cause', async () => {
    const refused = new Error('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    await assert.rejects(
      waitFor('an answer', { deadlineMs: 0, everyMs: 1 }, () => Promise.reject(refused)),
      /last seen: fetch failed: connect ECONNREFUSED$/,
    );
  });
});

describe('freePorts', () => {
  it('gives different ports', async () => {
    assert.equal(new Set(await freePorts(20)).size, 20);
  });
});
