import { once } from 'node:events';
import { createServer as createHttp, request as send, type IncomingMessage, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Identity } from './certificates.ts';

/** What was asked, as far as a test tells exchanges apart. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** One request that came to the proxy. */
export interface ProxiedCall extends Asked {
  /** Whether the server was asked: under a fault it may never hear of it. */
  readonly reached: boolean;
}

/** What the server answered, whole. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** One exchange in the hands of a fault: whether and when the server is asked, and what the asker hears. */
export interface Exchange {
  readonly ask: () => Promise<Answer>;
  /** Answers as HTTP wants it. */
  readonly answer: (answer: Answer) => void;
  /** For whatever is not HTTP; a write to a connection that the asker has left does nothing. */
  readonly socket: Socket;
  readonly isOver: () => boolean;
}

/** What happens to an exchange in place of being passed on. */
export type Fault = (exchange: Exchange) => Promise<void> | void;

/** What happens to a connection before a byte of HTTP; over TLS, before its handshake. */
export type ConnectionFault = (socket: Socket) => void;

/** Passes requests on to a server; exchanges and connections that a test names meet a fault on the way. */
export interface FaultProxy {
  readonly url: string;
  readonly calls: readonly ProxiedCall[];
  /** Exchanges that match meet the fault until it is lifted by what is given back. */
  disturb(matches: (asked: Asked) => boolean, fault: Fault): () => void;
  /** New connections meet the fault; undefined: none. */
  disturbConnections(fault: ConnectionFault | undefined): void;
  stop(): Promise<void>;
}

export interface FaultProxyOptions {
  /** Speaks TLS with this certificate; each exchange has a connection of its own then, so that each has its handshake. */
  readonly identity?: Identity;
}

interface Disturbance {
  readonly matches: (asked: Asked) => boolean;
  readonly fault: Fault;
}

/** Starts a proxy to the server at `targetUrl` (http, without a path) on a free port of loopback. */
export async function startFaultProxy(
  targetUrl: string,
  { identity }: FaultProxyOptions = {},
): Promise<FaultProxy> {
  const calls: ProxiedCall[] = [];
  const disturbances = new Set<Disturbance>();
  const open = new Set<Socket>();
  let connectionFault: ConnectionFault | undefined;

  const exchange = async (request: IncomingMessage, respond: Exchange['answer']): Promise<void> => {
    const { method = '', url: path = '', socket } = request;
    const body = await buffer(request);
    const call = { method, path, body: body.toString(), reached: false };
    calls.push(call);
    const ask = (): Promise<Answer> => {
      call.reached = true;
      return askServer(new URL(path, targetUrl), request, body);
    };
    const fault = [...disturbances].find(({ matches }) => matches(call))?.fault ?? passOn;
    await fault({ ask, answer: respond, socket, isOver: () => socket.destroyed });
  };
  const http = serverFor(identity, exchange);
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => undefined);
    if (connectionFault === undefined) http.emit('connection', socket);
    else connectionFault(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `${identity === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    disturb: (matches, fault) => {
      const disturbance = { matches, fault };
      disturbances.add(disturbance);
      return () => disturbances.delete(disturbance);
    },
    disturbConnections: (fault) => {
      connectionFault = fault;
    },
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

const passOn: Fault = async ({ ask, answer }) => answer(await ask());

function serverFor(
  identity: Identity | undefined,
  exchange: (request: IncomingMessage, respond: Exchange['answer']) => Promise<void>,
): Server {
  const isTls = identity !== undefined;
  const server = isTls ? createHttps({ cert: identity.cert, key: identity.key }) : createHttp();
  // Who asks may be gone: a fault that writes to it later is no error.
  server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
    socket.on('error', () => undefined);
  });
  server.on('request', (request, response) => {
    exchange(request, ({ status, headers, body }) => {
      response.writeHead(status, { ...headers, ...(isTls ? { connection: 'close' } : {}) }).end(body);
    }).catch(() => request.socket.destroy());
  });
  return server;
}

/** The headers of an answer that describe a body as it was sent, which the proxy does not. */
const OF_THE_TRANSFER = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

async function askServer(url: URL, { method, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  const onward = send(url, { method, headers, agent: false });
  const answered = once(onward, 'response') as Promise<[IncomingMessage]>;
  onward.end(body);
  const [answer] = await answered;
  const told = await buffer(answer);
  const kept = Object.entries(answer.headers).filter(([name]) => !OF_THE_TRANSFER.has(name));
  return {
    status: answer.statusCode ?? 502,
    headers: {
      ...Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
      'content-length': String(told.length),
    },
    body: told,
  };
}
