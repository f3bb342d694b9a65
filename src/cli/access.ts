import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import type { Logger } from 'pino';
import type { AccessSettings, TlsFiles } from '../config/settings.ts';
import { oneLine } from '../foundation/one-line.ts';
import { err, ok, type Result } from '../foundation/result.ts';
import { bothOf, parseLogins, parseTokens, type Credentials } from '../hooks/callers/credentials.ts';
import type { Access } from '../hooks/callers/gate.ts';
import { watchFiles, type WatchedFiles } from './watched-files.ts';

/** What the server needs of the files of the Access flags, as they stand now. */
export interface ServedAccess {
  readonly access: () => Access;
  /** undefined: plain HTTP. */
  readonly tls: WatchedFiles<TlsMaterial> | undefined;
  /** Looks at all files now. */
  refresh(): Promise<void>;
  stop(): void;
}

/** PEM texts that have been found to belong together. */
export type TlsMaterial = Readonly<Pick<SecureContextOptions, 'cert' | 'key' | 'ca'>>;

/** Reads the files that say who may call; the error is one line that names the flag. `onTls`: they have changed. */
export async function openAccess(
  { tls, tokenFile, loginFile }: AccessSettings,
  logger: Logger,
  onTls: (material: TlsMaterial) => void,
): Promise<Result<ServedAccess, string>> {
  const onKept = (because: string): void => logger.warn({ because }, 'changed files are not used');
  const material = await openTls(tls, {
    onKept,
    onChange: (changed) => {
      logger.info('the TLS files are read again');
      onTls(changed);
    },
  });
  if (!material.ok) return material;
  const credentials = await openCredentials(tokenFile, loginFile, {
    onKept,
    onChange: ({ digests }) => logger.info({ accepted: digests.length }, 'the credentials are read again'),
  });
  if (!credentials.ok) {
    material.value?.stop();
    return credentials;
  }
  const watched = [material.value, credentials.value].filter((files) => files !== undefined);
  const needsCertificate = tls?.clientCaFile !== undefined;
  return ok({
    access: () => ({ credentials: credentials.value?.current(), needsCertificate }),
    tls: material.value,
    refresh: async () => {
      await Promise.all(watched.map((files) => files.refresh()));
    },
    stop: () => watched.forEach((files) => files.stop()),
  });
}

interface Listeners<T> {
  readonly onKept: (because: string) => void;
  readonly onChange: (value: T) => void;
}

type Opened<T> = Promise<Result<WatchedFiles<T> | undefined, string>>;

async function openCredentials(
  tokenFile: string | undefined,
  loginFile: string | undefined,
  listeners: Listeners<Credentials>,
): Opened<Credentials> {
  const files = {
    ...(tokenFile === undefined ? {} : { 'auth-token-file': tokenFile }),
    ...(loginFile === undefined ? {} : { 'basic-auth-file': loginFile }),
  };
  if (Object.keys(files).length === 0) return ok(undefined);
  return watchFiles({ files, parse: parseCredentials, ...listeners });
}

function parseCredentials(texts: Readonly<Record<string, string>>): Result<Credentials, string> {
  const { 'auth-token-file': tokenText, 'basic-auth-file': loginText } = texts;
  const tokens = tokenText === undefined ? undefined : parseTokens(tokenText);
  if (tokens?.ok === false) return err(`--auth-token-file: ${tokens.error}`);
  const logins = loginText === undefined ? undefined : parseLogins(loginText);
  if (logins?.ok === false) return err(`--basic-auth-file: ${logins.error}`);
  if (tokens === undefined || logins === undefined) return tokens ?? logins ?? err('no file is named');
  return ok(bothOf(tokens.value, logins.value));
}

async function openTls(files: TlsFiles | undefined, listeners: Listeners<TlsMaterial>): Opened<TlsMaterial> {
  if (files === undefined) return ok(undefined);
  const { certFile, keyFile, clientCaFile } = files;
  const named = {
    'tls-cert-file': certFile,
    'tls-key-file': keyFile,
    ...(clientCaFile === undefined ? {} : { 'client-ca-file': clientCaFile }),
  };
  return watchFiles({ files: named, parse: parseTls, ...listeners });
}

function parseTls(texts: Readonly<Record<string, string>>): Result<TlsMaterial, string> {
  const { 'tls-cert-file': cert, 'tls-key-file': key, 'client-ca-file': ca } = texts;
  const material: TlsMaterial = { cert, key, ...(ca === undefined ? {} : { ca }) };
  try {
    // OpenSSL takes a file without any certificate for an empty list of CAs.
    if (ca !== undefined) new X509Certificate(ca);
  } catch {
    return err('--client-ca-file: it holds no PEM certificate');
  }
  try {
    createSecureContext(material);
    return ok(material);
  } catch (error) {
    const why = oneLine(error instanceof Error ? error.message : String(error), 120);
    return err(`--tls-cert-file and --tls-key-file: not a certificate and its key: ${why}`);
  }
}
