import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createApp } from '../app.ts';
import { err, ok, type Result } from '../foundation/result.ts';
import type { Deps } from '../hooks/deps.ts';
import { openAccess, type ServedAccess, type TlsMaterial } from './access.ts';

const SERVER_OPTIONS: ServerOptions = {
  /** Go's http.Client keeps an idle connection for 90 s: the side that sends must be the one that closes. */
  keepAliveTimeout: 95_000,
  /** A connection may also idle before its first request, so this too is above 90 s. */
  headersTimeout: 100_000,
  requestTimeout: 120_000,
  /** Metacontroller's headers are a few hundred bytes. More is answered 431. */
  maxHeaderSize: 16 * 1024,
};

/** A client that does not get on with its handshake. */
const HANDSHAKE_MS = 10_000;

/** Beside the budget of a sync, for its body to come and its answer to be read. Whoever takes longer is cut off. */
const EXCHANGE_MS = 60_000;

export interface Service {
  /** The address really listened on. */
  readonly url: string;
  /** Stops accepting, lets what runs finish for at most `graceMs`; false when some of it had to be cut off. */
  stop(graceMs: number): Promise<boolean>;
  /** Looks now whether the files that say who may call have changed; else they are looked at every few seconds. */
  refreshAccess(): Promise<void>;
}

/** Serves on the address of the settings; the error is one line that says why it cannot be had. */
export async function startService(deps: Deps): Promise<Result<Service, string>> {
  const { settings, logger } = deps;
  const onTls = (material: TlsMaterial): void => {
    if (server instanceof TlsServer) server.setSecureContext(material);
    connections.outdate();
  };
  const served = await openAccess(settings.access, logger, onTls);
  if (!served.ok) return served;
  const { access } = served.value;
  const server = serverFor(served.value);
  const connections = watchConnections(server);
  const running = new Set<ServerResponse>();
  let isDraining = false;
  server.on('request', (request, response) => {
    running.add(response);
    const cutOff = (): void => void request.socket.destroy();
    const patience = setTimeout(cutOff, settings.hookBudgetMs + EXCHANGE_MS).unref();
    response.once('close', () => {
      clearTimeout(patience);
      running.delete(response);
    });
    if (isDraining || connections.isOutdated(request)) response.setHeader('Connection', 'close');
  });
  server.on('request', createApp(deps, { isDraining: () => isDraining, access }));

  const { host, port } = settings.listen;
  const failure = await listen(server, host, port);
  if (failure !== undefined) {
    served.value.stop();
    return err(`--listen: cannot listen on ${host}:${port}: ${failure}`);
  }
  const stop = (graceMs: number): Promise<boolean> => {
    isDraining = true;
    served.value.stop();
    for (const response of running) if (!response.headersSent) response.setHeader('Connection', 'close');
    const closing = close(server, graceMs);
    connections.endAllBut(new Set([...running].map(({ req }) => req.socket)));
    return closing;
  };
  return ok({ url: urlOf(server), stop, refreshAccess: () => served.value.refresh() });
}

type AnyServer = Server | TlsServer;

interface Connections {
  /** The TLS files have changed: who is connected now is outdated, and ends with its next answer. */
  readonly outdate: () => void;
  readonly isOutdated: (request: IncomingMessage) => boolean;
  /** Ends the others: what has sent no whole request has nothing to wait for, though Node does not count it as idle. */
  readonly endAllBut: (busy: ReadonlySet<Socket>) => void;
}

function watchConnections(server: AnyServer): Connections {
  const open = new Set<Socket>();
  let current = new WeakSet<Socket>();
  const event = server instanceof TlsServer ? 'secureConnection' : 'connection';
  server.on(event, (socket: Socket) => {
    open.add(socket);
    current.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return {
    outdate: () => (current = new WeakSet()),
    isOutdated: ({ socket }) => !current.has(socket),
    endAllBut: (busy) => {
      for (const socket of open) if (!busy.has(socket)) socket.destroy();
    },
  };
}

/** Every client may connect without a certificate, as probes do; who may sync is decided by request. */
function serverFor({ tls, access }: ServedAccess): AnyServer {
  if (tls === undefined) return createServer(SERVER_OPTIONS);
  const { needsCertificate } = access();
  return createTlsServer({
    ...SERVER_OPTIONS,
    ...tls.current(),
    handshakeTimeout: HANDSHAKE_MS,
    requestCert: needsCertificate,
    rejectUnauthorized: false,
  });
}

function listen(server: AnyServer, host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => resolve(undefined));
  });
}

/** `close` also ends the idle keep-alive connections; the busy ones end with their answer. */
async function close(server: AnyServer, graceMs: number): Promise<boolean> {
  const closed = new Promise<true>((resolve) => server.close(() => resolve(true)));
  const finished = await Promise.race([closed, delay(graceMs, false, { ref: false })]);
  if (!finished) server.closeAllConnections();
  return finished;
}

function urlOf(server: AnyServer): string {
  const { address, family, port } = server.address() as AddressInfo;
  const scheme = server instanceof TlsServer ? 'https' : 'http';
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
