import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A certificate and its key, as files and as PEM. */
export interface Identity {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
}

/** A CA of a test's own, made by openssl in `directory`; files are named by `name`. */
export function makeCa(directory: string, name: string): Identity {
  return make(directory, name, ['-addext', 'basicConstraints=critical,CA:TRUE']);
}

/** A certificate for 127.0.0.1 or another name, fit for a server and a client, signed by `ca`. */
export function issue(
  directory: string,
  name: string,
  ca: Identity,
  subject: `IP:${string}` | `DNS:${string}` = 'IP:127.0.0.1',
): Identity {
  return make(directory, name, [
    ...['-CA', ca.certFile, '-CAkey', ca.keyFile],
    ...['-addext', `subjectAltName=${subject}`, '-addext', 'basicConstraints=critical,CA:FALSE'],
  ]);
}

function make(directory: string, name: string, options: readonly string[]): Identity {
  const certFile = join(directory, `${name}.crt`);
  const keyFile = join(directory, `${name}.key`);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', keyFile];
  const subject = ['-subj', `/CN=${name}`, '-days', '1'];
  execFileSync('openssl', ['req', '-x509', ...key, ...subject, ...options, '-out', certFile], {
    stdio: 'pipe',
  });
  return { certFile, keyFile, cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
}
