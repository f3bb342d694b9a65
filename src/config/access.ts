import { err, ok, type Result } from '../foundation/result.ts';
import type { FlagValues } from './flags.ts';
import type { AccessSettings, TlsFiles } from './settings.ts';

/** The flags of the Access group as one; the error names those that only make sense together. */
export function readAccess(values: FlagValues): Result<AccessSettings, string> {
  const tls = readTls(values);
  if (!tls.ok) return tls;
  const access: AccessSettings = {
    tls: tls.value,
    tokenFile: values['auth-token-file'],
    loginFile: values['basic-auth-file'],
    protectMetrics: values['protect-metrics'],
  };
  if (access.protectMetrics && !asksForCredentials(access)) {
    return err(
      '--protect-metrics has nothing to ask for: give --auth-token-file, --basic-auth-file or --client-ca-file',
    );
  }
  return ok(access);
}

/** Whether a sync needs any credential at all. */
function asksForCredentials({ tls, tokenFile, loginFile }: AccessSettings): boolean {
  return tokenFile !== undefined || loginFile !== undefined || tls?.clientCaFile !== undefined;
}

function readTls(values: FlagValues): Result<TlsFiles | undefined, string> {
  const { 'tls-cert-file': certFile, 'tls-key-file': keyFile, 'client-ca-file': clientCaFile } = values;
  if (certFile !== undefined && keyFile !== undefined) return ok({ certFile, keyFile, clientCaFile });
  if (certFile !== undefined) return err('--tls-cert-file needs --tls-key-file beside it');
  if (keyFile !== undefined) return err('--tls-key-file needs --tls-cert-file beside it');
  if (clientCaFile !== undefined)
    return err('--client-ca-file needs --tls-cert-file and --tls-key-file beside it');
  return ok(undefined);
}
