import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

/**
 * Below the ports that Linux (from 32768) and macOS (from 49152) give to outgoing connections and to those who ask for
 * port 0: one of those, free now, may be anybody's a moment later.
 */
const FIRST = 20_000;
const LAST = 32_767;

/**
 * `count` ports of 127.0.0.1 that were free a moment ago, all different. For programs that cannot be told to
 * take port 0 and say which one they got.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listenSomewhere));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map(async (server) => once(server.close(), 'close')));
  return ports;
}

async function listenSomewhere(): Promise<Server> {
  for (;;) {
    const server = createServer().listen(randomInt(FIRST, LAST + 1), '127.0.0.1');
    try {
      await once(server, 'listening');
      return server;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}
