import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CredentialSource } from '../../../src/kubernetes/credential.ts';
import { createExecPlugin } from '../../../src/kubernetes/exec-plugin.ts';
import { arrived, notYet, waitFor } from '../../support/wait.ts';

const V1 = 'client.authentication.k8s.io/v1';

function exec(code: string, more: object = {}): object {
  return { apiVersion: V1, command: process.execPath, args: ['--input-type=module', '-e', code], ...more };
}

function printing(value: unknown): object {
  return exec(`console.log(${JSON.stringify(JSON.stringify(value))})`);
}

function credentialOf(status: object, apiVersion = V1): object {
  return { apiVersion, kind: 'ExecCredential', status };
}

function pluginOf(spec: object, environment = {}, limitMs?: number): CredentialSource {
  const plugin = createExecPlugin(spec, environment, limitMs);
  assert.ok(plugin.ok, JSON.stringify(plugin));
  return plugin.value;
}

const NAME = `the kubeconfig's plugin "${process.execPath}"`;

describe('a plugin of a kubeconfig', () => {
  let directory = '';
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'counterpoise-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  for (const [name, status, value] of [
    ['a token', { token: 't' }, { token: 't' }],
    [
      'a certificate with its key',
      { clientCertificateData: 'cert', clientKeyData: 'key' },
      { cert: 'cert', key: 'key' },
    ],
    [
      'both, for a while',
      {
        token: 't',
        clientCertificateData: 'cert',
        clientKeyData: 'key',
        expirationTimestamp: '2999-01-01T00:00:00Z',
      },
      { token: 't', cert: 'cert', key: 'key' },
    ],
  ] as const) {
    it(`gives ${name}`, async () => {
      assert.deepEqual(await pluginOf(printing(credentialOf(status))).current(), { ok: true, value });
    });
  }

  it('runs in our environment, with variables of its own and what the protocol tells it', async () => {
    const told = exec(
      `const { A, B, KUBERNETES_EXEC_INFO } = process.env;
       const { apiVersion, kind, spec } = JSON.parse(KUBERNETES_EXEC_INFO);
       const token = [A, B, kind, spec.interactive].join();
       console.log(JSON.stringify({ apiVersion, kind, status: { token } }));`,
      { env: [{ name: 'B', value: 'own' }], interactiveMode: 'IfAvailable' },
    );
    assert.deepEqual(await pluginOf(told, { A: 'ours', B: 'ours' }).current(), {
      ok: true,
      value: { token: 'ours,own,ExecCredential,false' },
    });
  });

  it('runs again once its credential has ended, and not before', async () => {
    const file = join(directory, 'runs');
    const lasting = (untilMs: number): CredentialSource =>
      pluginOf(
        exec(
          `import { appendFileSync } from 'node:fs';
           appendFileSync(${JSON.stringify(file)}, 'x');
           console.log(${JSON.stringify(
             JSON.stringify(
               credentialOf({ token: 't', expirationTimestamp: new Date(untilMs).toISOString() }),
             ),
           )});`,
        ),
      );
    const good = lasting(Date.now() + 3_600_000);
    await good.current();
    await good.current();
    assert.equal(readFileSync(file, 'utf8'), 'x');
    const ended = lasting(Date.now() - 1_000);
    await ended.current();
    await ended.current();
    assert.equal(readFileSync(file, 'utf8'), 'xxx');
  });

  const failures: readonly { readonly name: string; readonly spec: object; readonly error: string }[] = [
    {
      name: 'that is not there, with what its author says of that',
      spec: { apiVersion: V1, command: '/nonexistent/aws', installHint: 'get it\nfrom its site' },
      error: `the kubeconfig's plugin "/nonexistent/aws" cannot be run (ENOENT): get it from its site`,
    },
    { name: 'that fails', spec: exec('process.exit(3)'), error: `${NAME} ended with exit code 3` },
    {
      name: 'that is killed',
      spec: exec("process.kill(process.pid, 'SIGTERM'); setInterval(() => undefined, 1000)"),
      error: `${NAME} ended with SIGTERM`,
    },
    {
      name: 'that prints without end',
      spec: exec("for (;;) { process.stdout.write('x'.repeat(65536)); await new Promise(setImmediate); }"),
      error: `${NAME} ended with SIGKILL`,
    },
    {
      name: 'that prints something else',
      spec: exec("console.log('hello')"),
      error: `${NAME} printed no ExecCredential of ${V1}`,
    },
    {
      name: 'that answers in another version of the protocol',
      spec: printing(credentialOf({ token: 't' }, 'client.authentication.k8s.io/v1beta1')),
      error: `${NAME} printed no ExecCredential of ${V1}`,
    },
    {
      name: 'that gives a certificate without its key',
      spec: printing(credentialOf({ clientCertificateData: 'cert' })),
      error: `${NAME} gave neither a token nor a certificate with its key`,
    },
  ];
  for (const { name, spec, error } of failures) {
    it(`${name} is told`, async () => {
      assert.deepEqual(await pluginOf(spec).current(), { ok: false, error });
    });
  }

  it('that hangs is ended, though what it has started holds its output open', async () => {
    const file = join(directory, 'pid');
    const plugin = pluginOf(
      exec(
        `import { spawn } from 'node:child_process';
         import { writeFileSync } from 'node:fs';
         const wait = 'const own = process.ppid; setInterval(() => process.ppid === own || process.exit(), 20); setTimeout(process.exit, 20000)';
         spawn(process.execPath, ['-e', wait], { stdio: ['ignore', 'inherit', 'ignore'] });
         writeFileSync(${JSON.stringify(file)}, String(process.pid));
         setInterval(() => undefined, 1000);`,
      ),
      {},
      1_500,
    );
    assert.deepEqual(await plugin.current(), { ok: false, error: `${NAME} did not end within 1.5s` });
    assert.ok(existsSync(file), 'it had begun');
    const pid = Number(readFileSync(file, 'utf8'));
    await waitFor('its end', { deadlineMs: 5_000, everyMs: 10 }, () =>
      isRunning(pid) ? notYet(`${pid} runs`) : arrived(undefined),
    );
  });

  for (const [name, spec, error] of [
    [
      'without a command',
      { apiVersion: V1, command: '' },
      'user.exec.command of the kubeconfig is missing or of a wrong type',
    ],
    [
      'that wants a terminal',
      { apiVersion: V1, command: 'login', interactiveMode: 'Always' },
      `the kubeconfig's plugin "login" wants a terminal (interactiveMode: Always), and a service has none`,
    ],
  ] as const) {
    it(`${name} is refused at once`, () => {
      assert.deepEqual(createExecPlugin(spec, {}), { ok: false, error });
    });
  }
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
