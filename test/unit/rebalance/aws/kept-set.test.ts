import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { startDeadline, type Deadline } from '../../../../src/foundation/deadline.ts';
import { err, ok, type Result } from '../../../../src/foundation/result.ts';
import { timedOut } from '../../../../src/rebalance/aws/failures.ts';
import { keepSet, type Load, type Loaded } from '../../../../src/rebalance/aws/kept-set.ts';
import type { CredentialFailure, CredentialSet } from '../../../../src/rebalance/aws/port.ts';
import { createVirtualClock } from '../../../support/virtual-clock.ts';

const MINUTE = 60_000;
const DENIED: CredentialFailure = { reason: 'AssumeRoleDenied', message: 'no' };

/** Passes when it is told to. */
function controlledDeadline(): Deadline & { readonly pass: () => void } {
  const controller = new AbortController();
  return {
    beganMs: 0,
    signal: controller.signal,
    remainingMs: () => 1,
    pass: () => {
      controller.abort();
    },
  };
}

describe('a credential set', () => {
  const clock = createVirtualClock();
  let loads: number;
  let lifeMs: number | undefined;
  let failure: CredentialFailure | undefined;
  let set: CredentialSet;
  const load: Load = () => {
    loads += 1;
    const loaded: Loaded = {
      credentials: { accessKeyId: `key ${loads}`, secretAccessKey: 'secret' },
      expiresAtMs: lifeMs === undefined ? undefined : clock.nowMs() + lifeMs,
    };
    return Promise.resolve(failure === undefined ? ok(loaded) : err(failure));
  };
  beforeEach(() => {
    loads = 0;
    lifeMs = 60 * MINUTE;
    failure = undefined;
    set = keepSet('a set', load, clock);
  });
  const current = async (): Promise<string> => {
    const result = await set.current(startDeadline(8_000));
    return result.ok ? result.value.accessKeyId : result.error.reason;
  };

  it('is loaded once for as long as its credentials are good', async () => {
    assert.deepEqual([await current(), await current()], ['key 1', 'key 1']);
    clock.advance(54 * MINUTE);
    assert.equal(await current(), 'key 1');
    assert.equal(loads, 1);
  });

  it('is renewed beside the work in the last five minutes', async () => {
    await current();
    clock.advance(56 * MINUTE);
    assert.deepEqual([await current(), await current()], ['key 1', 'key 2']);
    assert.equal(loads, 2);
  });

  it('goes on with the old credentials while the renewal fails, until half a minute before their end', async () => {
    await current();
    failure = DENIED;
    clock.advance(59 * MINUTE);
    assert.deepEqual([await current(), await current()], ['key 1', 'key 1']);
    clock.advance(MINUTE / 2);
    assert.equal(await current(), 'AssumeRoleDenied');
    failure = undefined;
    assert.equal(await current(), 'key 5');
  });

  it('is renewed in the second half of a life shorter than ten minutes', async () => {
    lifeMs = 4 * MINUTE;
    await current();
    clock.advance(MINUTE);
    assert.equal(await current(), 'key 1');
    assert.equal(loads, 1);
    clock.advance(MINUTE + 1);
    assert.deepEqual([await current(), await current()], ['key 1', 'key 2']);
  });

  it('keeps nothing that has ended or is about to', async () => {
    for (lifeMs of [-MINUTE, 0, MINUTE / 2]) await current();
    assert.equal(loads, 3);
  });

  it('looks after a minute again for credentials that do not say when they end', async () => {
    lifeMs = undefined;
    await current();
    clock.advance(MINUTE - 1);
    assert.equal(await current(), 'key 1');
    clock.advance(1);
    assert.equal(await current(), 'key 2');
  });

  it('forgets credentials that are refused, but not those that replaced them', async () => {
    const first = await set.current(startDeadline(8_000));
    assert.ok(first.ok);
    set.forget(first.value);
    assert.equal(await current(), 'key 2');
    set.forget(first.value);
    assert.equal(await current(), 'key 2');
  });

  it('does not keep a failure', async () => {
    failure = DENIED;
    assert.equal(await current(), 'AssumeRoleDenied');
    failure = undefined;
    assert.equal(await current(), 'key 2');
  });

  it('asks nothing when nothing of the budget is left', async () => {
    const passed = controlledDeadline();
    passed.pass();
    assert.deepEqual(await set.current(passed), err(timedOut()));
    assert.equal(loads, 0);
  });

  describe('while it is being loaded', () => {
    type Answer = Result<Loaded, CredentialFailure>;
    let answers: { readonly deadline: Deadline; readonly give: (answer: Answer) => void }[];
    beforeEach(() => {
      answers = [];
      set = keepSet(
        'a set',
        (deadline) => new Promise<Answer>((give) => answers.push({ deadline, give })),
        clock,
      );
    });
    const loaded = (accessKeyId: string): Answer =>
      ok({ credentials: { accessKeyId, secretAccessKey: 'secret' }, expiresAtMs: undefined });

    it('is loaded once for all that wait', async () => {
      const waiting = [1, 2, 3].map(() => current());
      answers[0]?.give(loaded('shared'));
      assert.deepEqual(await Promise.all(waiting), ['shared', 'shared', 'shared']);
      assert.equal(answers.length, 1);
    });

    it('lets nobody wait longer than its own deadline', async () => {
      const patient = current();
      const hasty = controlledDeadline();
      const waiting = set.current(hasty);
      hasty.pass();
      assert.deepEqual(await waiting, err(timedOut()));
      answers[0]?.give(loaded('late'));
      assert.equal(await patient, 'late');
    });

    it('is loaded again within the time of one that waited for a load of less time', async () => {
      const short = controlledDeadline();
      const first = set.current(short);
      const second = current();
      assert.equal(answers[0]?.deadline, short);
      short.pass();
      answers[0].give(err(timedOut()));
      assert.deepEqual(await first, err(timedOut()));
      await setImmediate();
      answers[1]?.give(loaded('second'));
      assert.equal(await second, 'second');
    });
  });
});
