import express, { type ErrorRequestHandler, type Express } from 'express';
import type { HookName } from './config/settings.ts';
import { oneLine } from './foundation/one-line.ts';
import { syncBalancer } from './hooks/balancer.ts';
import type { Deps } from './hooks/deps.ts';
import { asRefusal } from './hooks/errors.ts';
import { notReadyBecause } from './hooks/health.ts';
import type { Hook } from './hooks/hook.ts';
import { refuseMethod, sendError, sendText } from './hooks/http.ts';
import { bug } from './hooks/pipeline.ts';
import { syncRebalance } from './hooks/rebalance.ts';
import { syncHandlers, syncPath } from './hooks/sync-route.ts';

export interface AppOptions {
  /** Tests hand in their own. */
  readonly hooks?: Readonly<Record<HookName, Hook>>;
  /** True once the process is stopping: /readyz says so. */
  readonly isDraining?: () => boolean;
}

const HOOKS: Readonly<Record<HookName, Hook>> = { balancer: syncBalancer, rebalance: syncRebalance };

/**
 * The whole service as an express application, without a port and without an environment: `POST /<hook>/sync`,
 * `GET /healthz`, `/readyz` and `/metrics`. Every answer but a 200 is a row of HTTP_ERRORS, as one line of text.
 */
export function createApp(deps: Deps, { hooks = HOOKS, isDraining = () => false }: AppOptions = {}): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing');
  serveHooks(app, deps, hooks);
  serveHealth(app, deps, isDraining);
  app.use((request, response) => {
    sendError(response, { reason: 'PathNotFound', text: pathNotFound(request.path) });
  });
  app.use(handleThrown(deps));
  return app;
}

function serveHooks(app: Express, deps: Deps, hooks: Readonly<Record<HookName, Hook>>): void {
  for (const name of ['balancer', 'rebalance'] as const) {
    const route = app.route(syncPath(name));
    if (deps.settings.hooks.has(name)) {
      route.post(...syncHandlers(name, hooks[name], deps)).all(refuseMethod('POST'));
      continue;
    }
    const served = [...deps.settings.hooks].join(',');
    route.all((_request, response) => {
      sendError(response, { reason: 'HookNotServed', text: `this process serves --hooks=${served} only` });
    });
  }
}

function serveHealth(app: Express, deps: Deps, isDraining: () => boolean): void {
  const onlyGet = refuseMethod('GET, HEAD');
  const healthz = app.route('/healthz').get((_request, response) => sendText(response, 200, 'ok'));
  const readyz = app.route('/readyz').get((_request, response) => {
    const because = notReadyBecause(deps, isDraining());
    if (because === undefined) sendText(response, 200, 'ok');
    else sendError(response, { reason: 'NotReady', text: `not ready: ${because}` });
  });
  const metrics = app.route('/metrics').get(async (_request, response) => {
    const { registry, rebalances } = deps.metrics;
    rebalances.dropUnseen(deps.clock.nowMs());
    response.set('Content-Type', registry.contentType).send(await registry.metrics());
  });
  for (const route of [healthz, readyz, metrics]) route.all(onlyGet);
}

function pathNotFound(path: string): string {
  const served = [syncPath('balancer'), syncPath('rebalance'), '/healthz', '/readyz', '/metrics'].join(', ');
  return `nothing is served at ${oneLine(path, 80)}; there are ${served}`;
}

/** What was thrown outside a sync: a request that cannot be read, or a bug. */
function handleThrown({ settings, logger, metrics }: Deps): ErrorRequestHandler {
  return (thrown: unknown, _request, response, next) => {
    if (response.headersSent) {
      next(thrown);
      return;
    }
    const refusal = asRefusal(thrown, settings.bodyLimitBytes);
    const end = refusal === undefined ? bug(thrown) : { kind: 'Refused' as const, error: refusal };
    if (end.kind === 'Failed') {
      metrics.counterpoise_bugs_total.inc();
      logger.error({ incident: end.incident, err: thrown }, 'request');
    }
    sendError(response, end.error);
  };
}
