import { createServer, request as send, type IncomingHttpHeaders } from 'node:http';
import { listen } from './listen.ts';

export interface RelayedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** Passes every request on to a server, unchanged, and remembers it: what a part was really asked. */
export interface Relay {
  readonly url: string;
  readonly requests: readonly RelayedRequest[];
  /** While the server is away every connection is cut. */
  setAway(isAway: boolean): void;
  stop(): Promise<void>;
}

/** Starts a relay to the server at `targetUrl` (http, without a path). */
export async function startRelay(targetUrl: string): Promise<Relay> {
  const requests: RelayedRequest[] = [];
  let away = false;
  const server = createServer((request, response) => {
    if (away) {
      request.socket.destroy();
      return;
    }
    const { method = '', url: path = '', headers } = request;
    requests.push({ method, path, headers });
    const onward = send(new URL(path, targetUrl), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', (error) => response.destroy(error));
    request.pipe(onward);
  });
  return {
    ...(await listen(server)),
    requests,
    setAway: (isAway) => {
      away = isAway;
    },
  };
}
