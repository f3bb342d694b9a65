import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SyncBody } from './sync.ts';

export interface HookReply {
  readonly code?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string goes as it is, anything else as JSON. */
  readonly body: unknown;
}

/** A hook that answers what a test says, and remembers what it was sent. */
export interface HookServer {
  readonly url: string;
  readonly bodies: readonly SyncBody[];
  readonly requests: readonly IncomingMessage[];
  /** Every later call is answered so; 'Never' keeps the caller waiting. */
  reply(with_: HookReply | 'Never' | ((body: SyncBody) => HookReply | Promise<HookReply>)): void;
  stop(): Promise<void>;
}

export async function startHookServer(): Promise<HookServer> {
  const bodies: SyncBody[] = [];
  const requests: IncomingMessage[] = [];
  let respond: Parameters<HookServer['reply']>[0] = { body: {} };
  const server = createServer((request, response) => {
    void readText(request).then(async (text) => {
      const body = JSON.parse(text) as SyncBody;
      bodies.push(body);
      requests.push(request);
      if (respond === 'Never') return;
      const reply = typeof respond === 'function' ? await respond(body) : respond;
      response.writeHead(reply.code ?? 200, reply.headers);
      response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
    });
  });
  // A test that fails before it stops the hook still lets the process end.
  server.unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sync`,
    bodies,
    requests,
    reply(with_) {
      respond = with_;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
