import { spawn } from 'node:child_process';
import { z } from 'zod';
import { certain } from '../foundation/certain.ts';
import { parseRfc3339 } from '../foundation/clock.ts';
import { defined } from '../foundation/defined.ts';
import { parseJson } from '../foundation/json.ts';
import { oneLine } from '../foundation/one-line.ts';
import type { Lasting } from '../foundation/renewed.ts';
import { err, ok, type Result } from '../foundation/result.ts';
import { keepCredential, SOURCE_LIMIT_MS, type Credential, type CredentialSource } from './credential.ts';

const execSchema = z.object({
  apiVersion: z.string(),
  command: z.string().min(1),
  args: z.array(z.string()).nullish(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
  installHint: z.string().nullish(),
  interactiveMode: z.enum(['Never', 'IfAvailable', 'Always']).nullish(),
});

/** `user.exec` of a kubeconfig. */
type ExecSpec = z.output<typeof execSchema>;

const credentialSchema = z.object({
  apiVersion: z.string(),
  kind: z.literal('ExecCredential'),
  status: z.object({
    token: z.string().optional(),
    clientCertificateData: z.string().optional(),
    clientKeyData: z.string().optional(),
    expirationTimestamp: z.string().optional(),
  }),
});

export type Environment = Readonly<Record<string, string | undefined>>;

/** A certificate, its key and a token are a few kilobytes. */
const MAX_OUTPUT = 2 ** 20;

/**
 * The credential plugin of a kubeconfig (client.authentication.k8s.io). It runs once for all who need it at a time, and not
 * again until its credential ends or is refused. The error, of `exec` and of a run, is one line. As with kubectl the plugin
 * has our environment, and what it prints as errors goes where ours go.
 */
export function createExecPlugin(
  exec: unknown,
  environment: Environment,
  limitMs: number = SOURCE_LIMIT_MS,
): Result<CredentialSource, string> {
  const read = execSchema.safeParse(exec);
  if (!read.success) {
    const { path } = certain(read.error.issues[0], 'what is wrong');
    return err(`${['user', 'exec', ...path].join('.')} of the kubeconfig is missing or of a wrong type`);
  }
  const spec = read.data;
  const failure = (how: string): string => oneLine(`the kubeconfig's plugin "${spec.command}" ${how}`);
  if (spec.interactiveMode === 'Always')
    return err(failure('wants a terminal (interactiveMode: Always), and a service has none'));
  return ok(
    keepCredential(async () => {
      const printed = await run(spec, environment, limitMs);
      const credential = printed.ok ? readCredential(spec, printed.value) : printed;
      return credential.ok ? credential : err(failure(credential.error));
    }),
  );
}

function readCredential(spec: ExecSpec, printed: string): Result<Lasting<Credential>, string> {
  const { apiVersion } = spec;
  const credential = credentialSchema.safeParse(parseJson(printed));
  if (!credential.success || credential.data.apiVersion !== apiVersion)
    return err(`printed no ExecCredential of ${apiVersion}`);
  const { token, clientCertificateData, clientKeyData, expirationTimestamp = '' } = credential.data.status;
  const hasCertificate = clientCertificateData !== undefined && clientKeyData !== undefined;
  if (token === undefined && !hasCertificate)
    return err('gave neither a token nor a certificate with its key');
  const value = defined({ token, cert: clientCertificateData, key: clientKeyData });
  return ok({ value, expiresAtMs: parseRfc3339(expirationTimestamp) });
}

/** What it prints; the error is how it ended instead. */
function run(spec: ExecSpec, environment: Environment, limitMs: number): Promise<Result<string, string>> {
  const { apiVersion, command, args, env } = spec;
  const info = { apiVersion, kind: 'ExecCredential', spec: { interactive: false } };
  const own = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]));
  const child = spawn(command, args ?? [], {
    env: { ...environment, ...own, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
    stdio: ['ignore', 'pipe', 'inherit'],
    signal: AbortSignal.timeout(limitMs),
    killSignal: 'SIGKILL',
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    if (printed.length > MAX_OUTPUT) child.kill('SIGKILL');
  });
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      // what the plugin has started itself may hold its output open
      child.stdout.destroy();
      resolve(err(error.name === 'AbortError' ? lateAfter(limitMs) : cannotRun(spec, error)));
    });
    child.once('close', (code, signal) => {
      resolve(code === 0 ? ok(printed) : err(`ended with ${signal ?? `exit code ${code}`}`));
    });
  });
}

function lateAfter(limitMs: number): string {
  return `did not end within ${limitMs / 1000}s`;
}

function cannotRun({ installHint }: ExecSpec, { code, message }: NodeJS.ErrnoException): string {
  const hint = (installHint ?? '') === '' ? '' : `: ${installHint}`;
  return `cannot be run (${code ?? message})${hint}`;
}
