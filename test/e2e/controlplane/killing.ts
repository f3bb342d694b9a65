import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../support/listen.ts';

interface Answer {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly reason: string }[] };
}

/** Stands between Metacontroller and a hook. */
export interface KillingRelay {
  readonly port: number;
  /** The steps at which the hook was killed, by the reasons of its answers: "Adopting", "AllObserved Orphaning". */
  readonly killedAt: readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts a relay to the Balancer hook at `port`. The first answer of each step of the Balancer `name` is lost: the hook has done at the API what
 * the step is, then it is killed and started again, and Metacontroller hears nothing. Every later one goes through.
 */
export async function startKillingRelay(
  port: number,
  name: string,
  kill: () => Promise<void>,
): Promise<KillingRelay> {
  const killedAt: string[] = [];
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = await text(request);
    const answer = await fetch(`http://127.0.0.1:${port}${request.url ?? ''}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: request.headers.authorization ?? '' },
      body: asked,
    });
    const body = await answer.text();
    const isAbout = nameOf(JSON.parse(asked)) === name;
    const step = isAbout ? stepOf(JSON.parse(body) as Answer) : '';
    if (isAbout && !killedAt.includes(step)) {
      killedAt.push(step);
      await kill();
      response.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
  };
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  const listening = await listen(server);
  return { port: Number(new URL(listening.url).port), killedAt, stop: () => listening.stop() };
}

function stepOf({ status }: Answer): string {
  const conditions = status?.conditions ?? [];
  const told = conditions.filter(({ type }) => type === 'ChildrenObserved' || type === 'Migrating');
  return told.map(({ reason }) => reason).join(' ');
}

function nameOf(asked: unknown): string {
  return (asked as { readonly parent: { readonly metadata: { readonly name: string } } }).parent.metadata
    .name;
}
