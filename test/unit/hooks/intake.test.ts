import assert from 'node:assert/strict';
import { createIntake } from '../../../src/hooks/intake.ts';

describe('the intake', () => {
  it('lets as many syncs run as its limit, and the next one once a place is given back', () => {
    const intake = createIntake({ maxSyncs: 2, maxBytes: 100 });
    const [first, second, third] = [intake.open(), intake.open(), intake.open()];
    assert.deepEqual([first.start(), second.start(), third.start()], [true, true, false]);
    third.close();
    first.close();
    assert.deepEqual([intake.open().start(), intake.open().start()], [true, false]);
  });

  it('holds as many bytes as its limit over all requests, and gives back what was held', () => {
    const intake = createIntake({ maxSyncs: 9, maxBytes: 100 });
    const [first, second] = [intake.open(), intake.open()];
    assert.deepEqual([first.hold(60), second.hold(40), second.hold(1)], [true, true, false]);
    second.close();
    assert.deepEqual([first.hold(40), first.hold(1)], [true, false]);
    first.close();
    assert.equal(intake.open().hold(100), true);
  });

  it('lets a request that waits for its body take no place', () => {
    const intake = createIntake({ maxSyncs: 1, maxBytes: 100 });
    assert.equal(intake.open().hold(1), true);
    assert.equal(intake.open().start(), true);
  });
});
