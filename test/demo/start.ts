import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createDeps } from '../../src/cli/deps.ts';
import { startService, type Service } from '../../src/cli/server.ts';
import { parseSettings } from '../../src/config/parse.ts';
import { createLogger } from '../../src/observability/log.ts';
import { scalar, startPrometheusStandIn } from '../support/prometheus-stand-in.ts';
import { startRoute53StandIn } from '../support/route53-stand-in.ts';
import { curlLines, DEFAULT_PORTS, type Ports } from './curl.ts';
import { fillZone, QUERY } from './zone.ts';

/**
 * `make start-hooks`: the service beside stand-ins for Prometheus and Route 53, for curl. Ports by PROMETHEUS_PORT,
 * ROUTE53_PORT and COUNTERPOISE_LISTEN; further flags are the service's. Ctrl-C ends all of it.
 */
function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The service as settings of curl want it: the body is believed, and nothing outside this machine is called. */
async function serve(route53Url: string): Promise<Service> {
  const settings = parseSettings(process.argv.slice(2), {
    COUNTERPOISE_LISTEN: `127.0.0.1:${DEFAULT_PORTS.hooks}`,
    ...process.env,
    COUNTERPOISE_VERIFY_PARENT: 'false',
    COUNTERPOISE_KUBERNETES: 'false',
    COUNTERPOISE_ROUTE53_ENDPOINT: route53Url,
  });
  if (!settings.ok) throw new Error(settings.error);
  const deps = await createDeps(settings.value, createLogger(settings.value.logLevel));
  if (!deps.ok) throw new Error(deps.error);
  const service = await startService(deps.value);
  if (!service.ok) throw new Error(service.error);
  return service.value;
}

function portFrom(variable: string, otherwise: number): number {
  return Number(process.env[variable] ?? otherwise);
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

async function start(): Promise<void> {
  process.env['AWS_ACCESS_KEY_ID'] ??= 'demo';
  process.env['AWS_SECRET_ACCESS_KEY'] ??= 'demo';
  const prometheus = await startPrometheusStandIn({
    port: portFrom('PROMETHEUS_PORT', DEFAULT_PORTS.prometheus),
  });
  const route53 = await startRoute53StandIn({ port: portFrom('ROUTE53_PORT', DEFAULT_PORTS.route53) });
  fillZone(route53);
  prometheus.set(QUERY, scalar(3000));
  const service = await serve(route53.url);
  const ports: Ports = {
    hooks: portOf(service.url),
    prometheus: portOf(prometheus.url),
    route53: portOf(route53.url),
  };
  say(`\nHooks ${service.url}, Prometheus ${prometheus.url}, Route 53 ${route53.url}. Try:\n`);
  for (const line of curlLines(ports)) say(line);
  say('\nA number and Enter sets the load in requests/s (now 3000); Ctrl-C ends all.\n');
  createInterface({ input: process.stdin }).on('line', (line) => {
    if (line.trim() !== '') prometheus.set(QUERY, scalar(line.trim()));
  });
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await Promise.all([service.stop(1000), prometheus.stop(), route53.stop()]);
  process.exit(0);
}

await start().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  const hint = message.includes('EADDRINUSE')
    ? '; choose other ports by PROMETHEUS_PORT, ROUTE53_PORT, COUNTERPOISE_LISTEN'
    : '';
  process.stderr.write(`start: ${message}${hint}\n`);
  process.exit(1);
});
