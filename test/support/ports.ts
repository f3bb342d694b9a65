import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/**
 * `count` ports of 127.0.0.1 that were free a moment ago, all different. For programs that cannot be told to
 * take port 0 and say which one they got.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map(async (server) => once(server.close(), 'close')));
  return ports;
}
