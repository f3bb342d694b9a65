import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** Default: a free port of 127.0.0.1. */
export interface ListenAt {
  readonly port?: number;
  readonly host?: string;
}

/** A server of the tests. */
export interface Listening {
  /** `http://<host>:<port>` (or https), without a trailing slash. */
  readonly url: string;
  /** TCP connections accepted so far. */
  connections(): number;
  /** Closes the port and every connection, also those that hang. */
  stop(): Promise<void>;
}

export async function listen(
  server: Server | TlsServer,
  { port = 0, host = '127.0.0.1' }: ListenAt = {},
): Promise<Listening> {
  const open = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    url: `${server instanceof TlsServer ? 'https' : 'http'}://${host}:${(server.address() as AddressInfo).port}`,
    connections: () => accepted,
    stop: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
