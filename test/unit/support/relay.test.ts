import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen, type Listening } from '../../support/listen.ts';
import { startRelay, type Relay } from '../../support/relay.ts';

/** What `fetch` says when nobody answers. */
const CUT = { name: 'TypeError', message: 'fetch failed' };

describe('a relay', () => {
  let server: Listening;
  let relay: Relay;
  /** Bodies that the server has got whole, and the exchanges that it has begun. */
  let heard: string[];
  let begun: number;
  beforeEach(async () => {
    heard = [];
    begun = 0;
    server = await listen(
      createServer((request, response) => {
        begun += 1;
        text(request).then(
          (body) => {
            heard.push(body);
            response.writeHead(201, { 'x-heard': body }).end(`heard ${body}`);
          },
          () => undefined, // cut off
        );
      }),
    );
    relay = await startRelay(server.url);
  });
  afterEach(async () => {
    await relay.stop();
    await server.stop();
  });

  const post = async (body: string): Promise<string> => {
    const answer = await fetch(`${relay.url}/path`, { method: 'POST', body });
    return `${answer.status} ${answer.headers.get('x-heard') ?? ''} ${await answer.text()}`;
  };
  const isWanted = ({ path, body }: { readonly path: string; readonly body: string }): boolean =>
    path === '/path' && body === 'wanted';

  it('passes on what is asked and answered, and remembers who asked what and when', async () => {
    const before = performance.now();
    assert.equal(await post('any'), '201 any heard any');
    const [{ method, path, atMs } = { method: '', path: '', atMs: 0 }] = relay.requests;
    assert.deepEqual([relay.requests.length, method, path], [1, 'POST', '/path']);
    assert.ok(atMs >= before && atMs <= performance.now());
  });

  it('holds one exchange, the first that is meant, when the server has half of the body, until it may go on', async () => {
    const held = relay.hold('half-asked', isWanted);
    assert.equal(await post('any'), '201 any heard any');
    const answer = post('wanted');
    const exchange = await held;
    assert.deepEqual([exchange.body, exchange.answer, heard], ['wanted', '', ['any']]);
    exchange.pass();
    assert.equal(await answer, '201 wanted heard wanted');
    assert.equal(await post('wanted'), '201 wanted heard wanted');
  });

  it('holds an exchange when the server has answered and nobody has heard it', async () => {
    const held = relay.hold('answered', isWanted);
    const answer = post('wanted');
    const exchange = await held;
    assert.deepEqual([exchange.answer, heard], ['heard wanted', ['wanted']]);
    exchange.pass();
    assert.equal(await answer, '201 wanted heard wanted');
  });

  for (const [at, known] of [
    ['half-asked', []],
    ['answered', ['wanted']],
  ] as const) {
    it(`cuts an exchange held ${at}: the asker hears nothing`, async () => {
      const held = relay.hold(at, isWanted);
      const answer = assert.rejects(post('wanted'), CUT);
      (await held).cut();
      await answer;
      assert.deepEqual(heard, known);
    });
  }

  it('lets the asker know at once when the server goes while it has half of the body', async () => {
    const held = relay.hold('half-asked', isWanted);
    const answer = assert.rejects(post('wanted'), CUT);
    await held;
    await server.stop();
    await answer;
  });

  it('cuts the asker where nobody listens', async () => {
    await server.stop();
    await assert.rejects(post('any'), CUT);
    await assert.rejects(fetch(relay.url), CUT);
  });

  it('asks nobody while the server is away', async () => {
    relay.setAway(true);
    await assert.rejects(post('any'), CUT);
    relay.setAway(false);
    assert.equal(await post('any'), '201 any heard any');
    assert.deepEqual([begun, relay.requests.length], [1, 1]);
  });
});
