import { createServer, request as send, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen, type ListenAt } from './listen.ts';

export interface RelayedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** When it came, by `performance.now()`. */
  readonly atMs: number;
}

/** One exchange that stands still. */
export interface Held {
  readonly path: string;
  readonly body: string;
  /** Empty while the server has not answered. */
  readonly answer: string;
  /** Lets it go on. */
  readonly pass: () => void;
  /** Cuts the asker's connection: he hears nothing, whatever the server has done. */
  readonly cut: () => void;
}

/** Where an exchange is to stand still: the server has half of the body, or has answered and nobody has heard it. */
export type HoldPoint = 'half-asked' | 'answered';

/** Passes every request on to a server, unchanged, and remembers it: what a part was really asked. */
export interface Relay {
  readonly url: string;
  readonly requests: readonly RelayedRequest[];
  /** While the server is away every connection is cut. */
  setAway(isAway: boolean): void;
  /** Keeps the next exchange whose path and body `matches`, once; resolves when it stands still. */
  hold(
    at: HoldPoint,
    matches: (request: { readonly path: string; readonly body: string }) => boolean,
  ): Promise<Held>;
  stop(): Promise<void>;
}

interface Wish {
  readonly at: HoldPoint;
  readonly matches: Parameters<Relay['hold']>[1];
  readonly grant: (held: Held) => void;
}

/** Starts a relay to the server at `targetUrl` (http, without a path), where `at` says or on a free port. */
export async function startRelay(targetUrl: string, at: ListenAt = {}): Promise<Relay> {
  const requests: RelayedRequest[] = [];
  const wishes = new Set<Wish>();
  let away = false;

  /** Resolves when an exchange that somebody has asked to hold may go on; at once for all others. */
  const pause = async (wish: Wish | undefined, at: HoldPoint, held: Omit<Held, 'pass'>): Promise<void> => {
    if (wish?.at !== at) return;
    await new Promise<void>((pass) => wish.grant({ ...held, pass }));
  };

  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    const cut = (): void => void request.socket.destroy();
    if (away) {
      cut();
      return;
    }
    requests.push({ method, path, headers, atMs: performance.now() });
    const relay = async (): Promise<void> => {
      const asked = await buffer(request);
      const onward = send(new URL(path, targetUrl), { method, headers });
      const cutBoth = (): void => {
        cut();
        onward.destroy();
      };
      const held = { path, body: asked.toString(), answer: '', cut: cutBoth };
      const wish = [...wishes].find(({ matches }) => matches(held));
      if (wish !== undefined) wishes.delete(wish);
      const answered = new Promise<IncomingMessage>((resolve, reject) => {
        onward.on('response', resolve).on('error', reject);
      });
      answered.catch(() => undefined); // it may fail before it is awaited
      const half = Math.floor(asked.length / 2);
      await new Promise((flushed) =>
        half === 0 ? flushed(0) : onward.write(asked.subarray(0, half), flushed),
      );
      await Promise.race([pause(wish, 'half-asked', held), answered]);
      onward.end(asked.subarray(half));
      const answer = await answered;
      const told = await buffer(answer);
      await pause(wish, 'answered', { ...held, answer: told.toString() });
      response.writeHead(answer.statusCode ?? 502, answer.headers).end(told);
    };
    relay().catch(cut);
  });
  return {
    ...(await listen(server, at)),
    requests,
    setAway: (isAway) => {
      away = isAway;
    },
    hold: (at, matches) => new Promise((grant) => wishes.add({ at, matches, grant })),
  };
}
