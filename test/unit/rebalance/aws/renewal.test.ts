import assert from 'node:assert/strict';
import { startDeadline } from '../../../../src/foundation/deadline.ts';
import { err, ok, type Result } from '../../../../src/foundation/result.ts';
import type { AwsCredentials, CredentialFailure, CredentialSet } from '../../../../src/rebalance/aws/port.ts';
import { withCredentials } from '../../../../src/rebalance/aws/renewal.ts';

type Current = Result<AwsCredentials, CredentialFailure>;

const UNREACHABLE: CredentialFailure = { reason: 'CredentialsUnreachable', message: 'no STS' };

function keys(accessKeyId: string, parts: Partial<AwsCredentials> = {}): Current {
  return ok({ accessKeyId, secretAccessKey: 'secret', ...parts });
}

/** Gives the first; once forgotten, the next. */
function setOf(...currents: readonly Current[]): CredentialSet {
  let index = 0;
  return {
    key: 'a set',
    current: () => Promise.resolve(currents[index] ?? err(UNREACHABLE)),
    forget: () => {
      index += 1;
    },
  };
}

describe('acting with credentials', () => {
  const rows: readonly {
    readonly name: string;
    readonly currents: readonly Current[];
    /** What the calls of these keys end with; others succeed. */
    readonly refused?: Readonly<Record<string, { reason: string; outcomeUnknown?: boolean }>>;
    readonly acted: readonly string[];
    readonly result: string;
  }[] = [
    {
      name: 'acts once when all is well',
      currents: [keys('one'), keys('two')],
      acted: ['one'],
      result: 'one',
    },
    { name: 'acts never without credentials', currents: [], acted: [], result: 'CredentialsUnreachable' },
    {
      name: 'acts again with newer ones when they have expired',
      currents: [keys('one'), keys('two')],
      refused: { one: { reason: 'ExpiredToken' } },
      acted: ['one', 'two'],
      result: 'two',
    },
    {
      name: 'acts again with newer ones when they are not known',
      currents: [keys('one'), keys('two')],
      refused: { one: { reason: 'InvalidCredentials', outcomeUnknown: false } },
      acted: ['one', 'two'],
      result: 'two',
    },
    {
      name: 'acts twice at most',
      currents: [keys('one'), keys('two'), keys('three')],
      refused: { one: { reason: 'ExpiredToken' }, two: { reason: 'InvalidCredentials' } },
      acted: ['one', 'two'],
      result: 'InvalidCredentials',
    },
    {
      name: 'does not act again after another failure',
      currents: [keys('one'), keys('two')],
      refused: { one: { reason: 'AccessDenied' } },
      acted: ['one'],
      result: 'AccessDenied',
    },
    {
      name: 'does not act again when the first call may have done something',
      currents: [keys('one'), keys('two')],
      refused: { one: { reason: 'ExpiredToken', outcomeUnknown: true } },
      acted: ['one'],
      result: 'ExpiredToken',
    },
    {
      name: 'does not act again with the same ones',
      currents: [keys('one'), keys('one')],
      refused: { one: { reason: 'ExpiredToken' } },
      acted: ['one'],
      result: 'ExpiredToken',
    },
    {
      name: 'says why there are no newer ones',
      currents: [keys('one')],
      refused: { one: { reason: 'ExpiredToken' } },
      acted: ['one'],
      result: 'CredentialsUnreachable',
    },
    {
      name: 'takes another secret for newer',
      currents: [keys('one'), keys('one', { secretAccessKey: 'another' })],
      refused: { one: { reason: 'InvalidCredentials' } },
      acted: ['one', 'one'],
      result: 'InvalidCredentials',
    },
    {
      name: 'takes another token for newer',
      currents: [keys('one'), keys('one', { sessionToken: 'another' })],
      refused: { one: { reason: 'ExpiredToken' } },
      acted: ['one', 'one'],
      result: 'ExpiredToken',
    },
  ];
  for (const { name, currents, refused = {}, acted, result } of rows) {
    it(name, async () => {
      const calls: string[] = [];
      const ended = await withCredentials(setOf(...currents), startDeadline(8_000), ({ accessKeyId }) => {
        calls.push(accessKeyId);
        const refusal = refused[accessKeyId];
        return Promise.resolve(refusal === undefined ? ok(accessKeyId) : err(refusal));
      });
      assert.deepEqual(calls, acted);
      assert.equal(ended.ok ? ended.value : ended.error.reason, result);
    });
  }
});
