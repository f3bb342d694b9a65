import type { Blueprint } from './blueprint.ts';
import { CONFIG_DIRECTORY, CONFIG_FILE, TLS_DIRECTORY } from './volumes.ts';

/** The command line of balancerd; the order is that of orchestratord, so that a swap changes no pod. */
export function balancerdArguments({ spec, settings, tls }: Blueprint): readonly string[] {
  const { environmentdNamespace, environmentdServiceName } = spec.routing;
  const environmentd = `${environmentdServiceName}.${environmentdNamespace}.svc.cluster.local`;
  return [
    'service',
    `--pgwire-listen-addr=0.0.0.0:${settings.balancerdSqlPort}`,
    `--https-listen-addr=0.0.0.0:${settings.balancerdHttpPort}`,
    `--internal-http-listen-addr=0.0.0.0:${settings.balancerdInternalHttpPort}`,
    `--https-resolver-template=${environmentd}:${settings.environmentdHttpPort}`,
    `--static-resolver-addr=${environmentd}:${settings.environmentdSqlPort}`,
    ...(tls.internal ? ['--internal-tls'] : []),
    ...(spec.configMapName === undefined
      ? []
      : [`--config-sync-file-path=${CONFIG_DIRECTORY}/${CONFIG_FILE}`, '--config-sync-loop-interval=1s']),
    ...(tls.external
      ? ['--tls-mode=require', `--tls-cert=${TLS_DIRECTORY}/tls.crt`, `--tls-key=${TLS_DIRECTORY}/tls.key`]
      : ['--tls-mode=disable']),
  ];
}
