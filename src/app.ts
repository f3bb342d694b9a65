import express, { type ErrorRequestHandler, type Express } from 'express';
import type { HookName } from './config/settings.ts';
import { oneLine } from './foundation/one-line.ts';
import { syncBalancer } from './hooks/balancer.ts';
import type { Deps } from './hooks/deps.ts';
import { OPEN, refusalOf, type Access } from './hooks/callers/gate.ts';
import { notReadyBecause } from './hooks/health.ts';
import type { Hook } from './hooks/hook.ts';
import { refuseMethod, sendError, sendText } from './hooks/http.ts';
import { createIntake } from './hooks/intake.ts';
import { bug } from './hooks/pipeline.ts';
import { syncRebalance } from './hooks/rebalance.ts';
import { syncHandler, syncPath, type Border } from './hooks/sync-route.ts';

export interface AppOptions {
  /** Tests hand in their own. */
  readonly hooks?: Readonly<Record<HookName, Hook>>;
  /** True once the process is stopping: /readyz says so. */
  readonly isDraining?: () => boolean;
  /** Who may call, at the moment of each request. Default: everybody. */
  readonly access?: () => Access;
}

/** Bodies of this much are taken at a time whatever the limit for one is. */
const LEAST_HELD_BYTES = 64 * 2 ** 20;

const HOOKS: Readonly<Record<HookName, Hook>> = { balancer: syncBalancer, rebalance: syncRebalance };

/**
 * The whole service as an express application, without a port and without an environment: `POST /<hook>/sync`,
 * `GET /healthz`, `/readyz` and `/metrics`. Every answer but a 200 is a row of HTTP_ERRORS, as one line of text.
 */
export function createApp(
  deps: Deps,
  { hooks = HOOKS, isDraining = () => false, access = () => OPEN }: AppOptions = {},
): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing');
  const { bodyLimitBytes, maxConcurrentSyncs: maxSyncs } = deps.settings;
  const intake = createIntake({ maxSyncs, maxBytes: Math.max(2 * bodyLimitBytes, LEAST_HELD_BYTES) });
  serveHooks(app, deps, hooks, { access, intake });
  serveHealth(app, deps, isDraining);
  serveMetrics(app, deps, access);
  app.use((request, response) => {
    sendError(response, { reason: 'PathNotFound', text: pathNotFound(request.path) });
  });
  app.use(handleThrown(deps));
  return app;
}

function serveHooks(app: Express, deps: Deps, hooks: Readonly<Record<HookName, Hook>>, border: Border): void {
  for (const name of ['balancer', 'rebalance'] as const) {
    const route = app.route(syncPath(name));
    if (deps.settings.hooks.has(name)) {
      route.post(syncHandler(name, hooks[name], deps, border)).all(refuseMethod('POST'));
      continue;
    }
    const served = [...deps.settings.hooks].join(',');
    route.all((_request, response) => {
      sendError(response, { reason: 'HookNotServed', text: `this process serves --hooks=${served} only` });
    });
  }
}

/** Probes carry no credentials, and what they are told is no secret. */
function serveHealth(app: Express, deps: Deps, isDraining: () => boolean): void {
  const onlyGet = refuseMethod('GET, HEAD');
  const healthz = app.route('/healthz').get((_request, response) => sendText(response, 200, 'ok'));
  const readyz = app.route('/readyz').get((_request, response) => {
    const because = notReadyBecause(deps, isDraining());
    if (because === undefined) sendText(response, 200, 'ok');
    else sendError(response, { reason: 'NotReady', text: `not ready: ${because}` });
  });
  for (const route of [healthz, readyz]) route.all(onlyGet);
}

function serveMetrics(app: Express, deps: Deps, access: () => Access): void {
  const { registry, rebalances } = deps.metrics;
  const route = app.route('/metrics').get(async (request, response) => {
    const refusal = deps.settings.access.protectMetrics ? refusalOf(request, access()) : undefined;
    if (refusal !== undefined) {
      sendError(response, refusal);
      return;
    }
    rebalances.dropUnseen(deps.clock.nowMs());
    response.set('Content-Type', registry.contentType).send(await registry.metrics());
  });
  route.all(refuseMethod('GET, HEAD'));
}

function pathNotFound(path: string): string {
  const served = [syncPath('balancer'), syncPath('rebalance'), '/healthz', '/readyz', '/metrics'].join(', ');
  return `nothing is served at ${oneLine(path, 80)}; there are ${served}`;
}

/** What was thrown outside of a hook is a bug too. */
function handleThrown({ logger, metrics }: Deps): ErrorRequestHandler {
  return (thrown: unknown, _request, response, next) => {
    if (response.headersSent) {
      next(thrown);
      return;
    }
    const { error, incident } = bug(thrown);
    metrics.counterpoise_bugs_total.inc();
    logger.error({ incident, err: thrown }, 'request');
    sendError(response, error);
  };
}
