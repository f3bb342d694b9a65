import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { HttpErrorReason } from '../../../src/hooks/errors.ts';
import { readBody } from '../../../src/hooks/read-body.ts';
import { listen } from '../../support/listen.ts';
import { connectRaw, type RawConnection } from '../../support/raw-http.ts';

type Body = Awaited<ReturnType<typeof readBody>>;

const ROOM = 60;

/** Reads one request whose bytes a test writes by hand: at most 50 bytes of body, 60 held in all. */
async function read(act: (connection: RawConnection) => void, timeoutMs: number): Promise<Body> {
  const body = Promise.withResolvers<Body>();
  let held = 0;
  const hold = (bytes: number): boolean => (held += bytes) <= ROOM;
  const server = createServer((request, response) => {
    void readBody(request, { limitBytes: 50, timeoutMs, hold }).then((read) => {
      body.resolve(read);
      response.end();
    });
  });
  const listening = await listen(server);
  const connection = await connectRaw(listening.url);
  act(connection);
  try {
    return await body.promise;
  } finally {
    connection.destroy();
    await listening.stop();
  }
}

function head(...headers: readonly string[]): string {
  return ['POST / HTTP/1.1', 'Host: x', ...headers, '', ''].join('\r\n');
}

function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

const CHUNKED = 'Transfer-Encoding: chunked';
const LONG_MS = 20_000;

describe('a body', () => {
  const taken: readonly { readonly name: string; readonly bytes: string; readonly text: string }[] = [
    { name: 'of a declared length', bytes: `${head('Content-Length: 5')}hello`, text: 'hello' },
    {
      name: 'of the largest length',
      bytes: `${head('Content-Length: 50')}${'x'.repeat(50)}`,
      text: 'x'.repeat(50),
    },
    { name: 'in chunks', bytes: `${head(CHUNKED)}${chunk('hel')}${chunk('lo')}${chunk('')}`, text: 'hello' },
    { name: 'without a byte', bytes: head('Content-Length: 0'), text: '' },
    {
      name: 'that says it is not compressed',
      bytes: `${head('Content-Length: 2', 'Content-Encoding: Identity')}{}`,
      text: '{}',
    },
  ];
  for (const { name, bytes, text } of taken) {
    it(`is taken ${name}`, async () => {
      const body = await read((connection) => connection.write(bytes), LONG_MS);
      assert.ok(body.ok, body.ok ? '' : body.error.text);
      assert.equal(Buffer.from(body.value).toString(), text);
    });
  }

  const refused: readonly {
    readonly name: string;
    readonly act: (connection: RawConnection) => void;
    readonly timeoutMs?: number;
    readonly reason: HttpErrorReason;
  }[] = [
    {
      name: 'by its declared length, before a byte of it has come',
      act: ({ write }) => write(head('Content-Length: 51')),
      reason: 'BodyTooLarge',
    },
    {
      name: 'by what has come of it, however it is sent',
      act: ({ write }) => write(`${head(CHUNKED)}${chunk('x'.repeat(51))}`),
      reason: 'BodyTooLarge',
    },
    {
      name: 'compressed, without inflating a byte',
      act: ({ write }) => write(`${head('Content-Length: 5', 'Content-Encoding: gzip')}12345`),
      reason: 'UnsupportedEncoding',
    },
    {
      name: 'that stops coming',
      act: ({ write }) => write(`${head('Content-Length: 5')}he`),
      timeoutMs: 20,
      reason: 'BodyTooSlow',
    },
    {
      name: 'that breaks off',
      act: ({ write, destroy }) => {
        write(`${head('Content-Length: 5')}he`);
        setImmediate(destroy);
      },
      reason: 'BodyUnreadable',
    },
    {
      name: 'whose chunks are none',
      act: ({ write }) => write(`${head(CHUNKED)}nonsense\r\n`),
      reason: 'BodyUnreadable',
    },
  ];
  for (const { name, act, timeoutMs = LONG_MS, reason } of refused) {
    it(`is refused ${name}: ${reason}`, async () => {
      const body = await read(act, timeoutMs);
      assert.equal(body.ok ? 'taken' : body.error.reason, reason);
    });
  }
});
