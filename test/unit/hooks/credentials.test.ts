import assert from 'node:assert/strict';
import {
  bothOf,
  isAccepted,
  parseLogins,
  parseTokens,
  type Credentials,
} from '../../../src/hooks/callers/credentials.ts';

function tokens(text: string): Credentials {
  const parsed = parseTokens(text);
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.error);
  return parsed.value;
}

function logins(text: string): Credentials {
  const parsed = parseLogins(text);
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.error);
  return parsed.value;
}

function basic(login: string): string {
  return `Basic ${Buffer.from(login).toString('base64')}`;
}

describe('credentials', () => {
  const two = tokens('\n new-token \r\nold-token\n\n');
  const both = bothOf(two, logins('metacontroller:pass:word\n'));

  const rows: readonly { readonly name: string; readonly header: string; readonly accepted: boolean }[] = [
    { name: 'the first token of the file', header: 'Bearer new-token', accepted: true },
    { name: 'the second, as while a token is rotated', header: 'Bearer old-token', accepted: true },
    { name: 'the scheme in other letters and more space', header: ' bearer   new-token ', accepted: true },
    {
      name: 'a login, whose password may hold a colon',
      header: basic('metacontroller:pass:word'),
      accepted: true,
    },
    { name: 'a part of a token', header: 'Bearer new-toke', accepted: false },
    { name: 'a token and more', header: 'Bearer new-token2', accepted: false },
    { name: 'both tokens at once', header: 'Bearer new-token old-token', accepted: false },
    { name: 'a token under another scheme', header: 'Token new-token', accepted: false },
    { name: 'a token as a login', header: basic('new-token'), accepted: false },
    { name: 'a login as a token', header: 'Bearer metacontroller:pass:word', accepted: false },
    { name: 'another password', header: basic('metacontroller:pass'), accepted: false },
    { name: 'a scheme alone', header: 'Bearer', accepted: false },
    { name: 'nothing', header: '', accepted: false },
    { name: 'an empty token', header: 'Bearer ', accepted: false },
  ];
  for (const { name, header, accepted } of rows) {
    it(`${accepted ? 'accept' : 'refuse'} ${name}`, () => assert.equal(isAccepted(header, both), accepted));
  }

  it('say which schemes would do', () => {
    assert.equal(both.challenge, 'Bearer, Basic realm="counterpoise", charset="UTF-8"');
  });

  it('keep no secret that could be printed', () => {
    assert.doesNotMatch(JSON.stringify(both), /token|metacontroller|word/);
  });

  const refused: readonly {
    readonly name: string;
    readonly parse: typeof parseTokens;
    readonly text: string;
    readonly says: string;
  }[] = [
    {
      name: 'an empty file',
      parse: parseTokens,
      text: ' \n',
      says: 'it is empty, expected a bearer token on each line',
    },
    {
      name: 'a token with a space',
      parse: parseTokens,
      text: 'a\nb c',
      says: 'line 2 is not a bearer token',
    },
    {
      name: 'a login without a password',
      parse: parseLogins,
      text: 'user:',
      says: 'line 1 is not username:password',
    },
    {
      name: 'a login without a user',
      parse: parseLogins,
      text: ':secret',
      says: 'line 1 is not username:password',
    },
  ];
  for (const { name, parse, text, says } of refused) {
    it(`are not made of ${name}`, () => assert.deepEqual(parse(text), { ok: false, error: says }));
  }
});
