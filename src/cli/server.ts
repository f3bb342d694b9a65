import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createApp } from '../app.ts';
import { err, ok, type Result } from '../foundation/result.ts';
import type { Deps } from '../hooks/deps.ts';

/** Go's http.Client keeps an idle connection for 90 s: the side that sends must be the one that closes. */
const KEEP_ALIVE_MS = 95_000;
/** A connection may also idle before its first request, so this too is above 90 s. */
const HEADERS_MS = 100_000;
const WHOLE_REQUEST_MS = 120_000;

export interface Service {
  /** The address really listened on. */
  readonly url: string;
  /** Stops accepting, lets what runs finish for at most `graceMs`; false when some of it had to be cut off. */
  stop(graceMs: number): Promise<boolean>;
}

/** Serves on the address of the settings; the error is one line that says why it cannot be had. */
export async function startService(deps: Deps): Promise<Result<Service, string>> {
  const running = new Set<ServerResponse>();
  let isDraining = false;
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_MS,
    requestTimeout: WHOLE_REQUEST_MS,
  });
  server.on('request', (_request, response) => {
    running.add(response);
    response.once('close', () => running.delete(response));
    if (isDraining) response.setHeader('Connection', 'close');
  });
  server.on('request', createApp(deps, { isDraining: () => isDraining }));

  const { host, port } = deps.settings.listen;
  const failure = await listen(server, host, port);
  if (failure !== undefined) return err(`cannot listen on ${host}:${port}: ${failure}`);
  const stop = (graceMs: number): Promise<boolean> => {
    isDraining = true;
    for (const response of running) if (!response.headersSent) response.setHeader('Connection', 'close');
    return close(server, graceMs);
  };
  return ok({ url: urlOf(server), stop });
}

function listen(server: Server, host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => resolve(undefined));
  });
}

/** `close` also ends the idle keep-alive connections; the busy ones end with their answer. */
async function close(server: Server, graceMs: number): Promise<boolean> {
  const closed = new Promise<true>((resolve) => server.close(() => resolve(true)));
  const finished = await Promise.race([closed, delay(graceMs, false, { ref: false })]);
  if (!finished) server.closeAllConnections();
  return finished;
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
