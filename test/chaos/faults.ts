import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Exchange, Fault } from '../support/fault-proxy.ts';

/** What a fault looks like from within: what the status may say depends on this and on who was asked. */
export type Symptom =
  /** The connection ended without a whole answer. */
  | 'Lost'
  /** No whole answer in time. */
  | 'Late'
  /** A whole answer that means nothing. */
  | 'Nonsense'
  /** Bytes that are not HTTP. */
  | 'NotHttp'
  /** An HTTP error of a server or proxy. */
  | 'Refused'
  | 'Throttled'
  /** Nothing is wrong with the answer. */
  | 'None';

export interface FaultRow {
  readonly name: string;
  /** A fault of this case's own: some change after a while. */
  readonly make: () => Fault;
  readonly symptom: Symptom;
  /** Whether the server is asked, and does what it is asked. */
  readonly reaches: boolean;
  /** Over soon enough for who asks again in the same sync, as all do who ask AWS. */
  readonly passes?: boolean;
}

const DRIP_MS = 50;

export const FAULTS: readonly FaultRow[] = [
  {
    name: 'an answer 300 ms late',
    make: () => async (exchange) => {
      await delay(300);
      exchange.answer(await exchange.ask());
    },
    symptom: 'None',
    reaches: true,
  },
  {
    name: 'a connection cut before the server hears',
    make: () => cut,
    symptom: 'Lost',
    reaches: false,
  },
  {
    name: 'a connection cut when the server has acted',
    make: () => async (exchange) => {
      await exchange.ask();
      cut(exchange);
    },
    symptom: 'Lost',
    reaches: true,
  },
  {
    name: 'half an answer',
    make: () => async (exchange) => {
      const answer = await exchange.ask();
      exchange.socket.end(Buffer.concat([head(answer, answer.body.length), half(answer)]));
    },
    symptom: 'Lost',
    reaches: true,
  },
  {
    name: 'a Content-Length that is too long',
    make: () => async (exchange) => {
      const answer = await exchange.ask();
      exchange.socket.write(Buffer.concat([head(answer, answer.body.length + 100), answer.body]));
    },
    symptom: 'Late',
    reaches: true,
  },
  {
    name: 'a Content-Length that is too short',
    make: () => async (exchange) => {
      const answer = await exchange.ask();
      exchange.socket.write(Buffer.concat([head(answer, half(answer).length), answer.body]));
    },
    symptom: 'Nonsense',
    reaches: true,
  },
  {
    name: 'bytes that are not HTTP',
    make: () => async (exchange) => {
      await exchange.ask();
      exchange.socket.end('SSH-2.0-OpenSSH_9.6\r\n\u0000\u0001\u0002');
    },
    symptom: 'NotHttp',
    reaches: true,
  },
  {
    name: 'a web page with status 200',
    make: () => async (exchange) => {
      await exchange.ask();
      exchange.answer(say(200, 'text/html', '<!doctype html><html><title>Sign in</title><p>Hello</html>'));
    },
    symptom: 'Nonsense',
    reaches: true,
  },
  {
    name: 'an empty answer with status 200',
    make: () => async (exchange) => {
      await exchange.ask();
      exchange.answer(say(200, 'application/octet-stream', ''));
    },
    symptom: 'Nonsense',
    reaches: true,
  },
  { name: '429 at every call', make: () => refuse(429), symptom: 'Throttled', reaches: false },
  { name: '500 at every call', make: () => refuse(500), symptom: 'Refused', reaches: false },
  {
    name: '500 at every call, when the server has acted',
    make: () => async (exchange) => {
      await exchange.ask();
      await refuse(500)(exchange);
    },
    symptom: 'Refused',
    reaches: true,
  },
  { name: '503 at every call', make: () => refuse(503), symptom: 'Refused', reaches: false },
  { name: '503 once', make: () => once(refuse(503)), symptom: 'Refused', reaches: false, passes: true },
  { name: '429 once', make: () => once(refuse(429)), symptom: 'Throttled', reaches: false, passes: true },
  {
    name: 'an answer in slow drips',
    make: () => async (exchange) => {
      const answer = await exchange.ask();
      const bytes = Buffer.concat([head(answer, answer.body.length + 10_000), answer.body]);
      for (let sent = 0; !exchange.isOver(); sent += 1) {
        exchange.socket.write(bytes.subarray(sent, sent + 1));
        await delay(DRIP_MS);
      }
    },
    symptom: 'Late',
    reaches: true,
  },
  { name: 'no answer at all', make: () => () => undefined, symptom: 'Late', reaches: false },
  {
    name: 'no answer at all, when the server has acted',
    make: () => async (exchange) => {
      await exchange.ask();
    },
    symptom: 'Late',
    reaches: true,
  },
];

/** A reset where the connection is plain; over TLS it ends, as only the plain one below could be reset. */
function cut({ socket }: Exchange): void {
  if ('encrypted' in socket) socket.destroy();
  else socket.resetAndDestroy();
}

function refuse(status: number): Fault {
  return ({ answer }) => answer(say(status, 'text/plain', 'not now\n'));
}

/** The fault, the first time; then none. */
function once(fault: Fault): Fault {
  let isOver = false;
  return async (exchange) => {
    if (isOver) exchange.answer(await exchange.ask());
    else {
      isOver = true;
      await fault(exchange);
    }
  };
}

function say(status: number, contentType: string, body: string): Answer {
  return { status, headers: { 'content-type': contentType }, body: Buffer.from(body) };
}

function head({ status, headers }: Answer, contentLength: number): Buffer {
  const lines = Object.entries({ ...headers, 'content-length': String(contentLength) });
  const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`HTTP/1.1 ${status} As it was\r\n${text}\r\n`);
}

function half({ body }: Answer): Buffer {
  return body.subarray(0, Math.floor(body.length / 2));
}
