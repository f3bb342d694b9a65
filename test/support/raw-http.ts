import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A TCP connection on which a test writes whatever it likes. */
export interface RawConnection {
  readonly write: (bytes: string | Uint8Array) => void;
  /** Everything received, once it holds as many status lines as `answers`, or the server has hung up. */
  received(answers: number): Promise<string>;
  /** Everything received until the server hangs up. */
  rest(): Promise<string>;
  readonly destroy: () => void;
}

export async function connectRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  return {
    write: (bytes) => void socket.write(bytes),
    received: async (answers) => {
      while ((text.match(/HTTP\/1\.1 /g) ?? []).length < answers && !socket.closed) {
        await Promise.race([once(socket, 'data'), closed]);
      }
      return text;
    },
    rest: async () => {
      await closed;
      return text;
    },
    destroy: () => void socket.destroy(),
  };
}
