import assert from 'node:assert/strict';
import { arrived, notYet, waitFor } from '../../support/wait.ts';
import { TEST_KEYS } from '../zone.ts';
import { driversOf } from './drivers.ts';
import { applyObject } from './objects.ts';
import { useNamespace } from './own-namespace.ts';
import { steer, type Steered } from './steered.ts';
import { together } from './together.ts';
import { untilTold } from './told.ts';

const LATE = { deadlineMs: 60_000 };
const INTERVAL_MS = 5_000;
const INTERVALS = 4;

for (const driver of driversOf('double', 'binary', 'cluster')) {
  describe(`a Rebalance on ${driver.name}`, () => {
    const namespace = `rebalances-${driver.id}`;
    const own = useNamespace(driver, namespace, 'rebalances');
    const scenario = together();
    const steered = async (name: string): Promise<Steered> =>
      steer(own.plane, own.world, { name, namespace });

    scenario(
      'README example on the real chain: 3000 against 1000 with base 8 becomes weight 16',
      async () => {
        const readme = await steered('readme');
        await readme.apply(readme.spec());
        const { status } = await readme.until('16', ({ actualValue }) => actualValue === 16);
        assert.equal(await readme.zone.weightOf('aws'), 16);
        assert.deepEqual([status?.condition, status?.desiredValue], ['Healthy', 16]);
        const [changed] = await untilTold(own.plane, { name: 'readme', namespace }, 'WeightChanged');
        assert.match(changed?.message ?? '', /^weight 1 -> 16: /);
      },
    );

    scenario('spec edited -> evaluated at once, though its interval is an hour', async () => {
      const edited = await steered('edited');
      await edited.apply(edited.spec());
      await edited.until('16', ({ actualValue }) => actualValue === 16);
      await edited.apply(edited.spec({}, { targetValue: 1500 }));
      await edited.until('8', ({ actualValue }) => actualValue === 8);
      assert.equal(await edited.zone.weightOf('aws'), 8);
      assert.deepEqual(edited.asked().queries, 2);
    });

    scenario(`interval respected within 10%, over ${INTERVALS} of ${INTERVAL_MS / 1000} s`, async () => {
      const regular = await steered('regular');
      await regular.apply(regular.spec({ interval: `${INTERVAL_MS / 1000}s` }));
      // Not the first attempt, which connects to everybody. An interval goes from begin to begin; how soon after its begin an
      // attempt queries depends on the machine, so single gaps vary and only their mean is the interval's.
      const times = await waitFor(`${INTERVALS + 2} queries`, LATE, () => {
        const seen = regular.queriedAtMs().slice(1);
        return seen.length > INTERVALS ? arrived(seen) : notYet(seen.join());
      });
      const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
      const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
      assert.ok(Math.abs(mean - INTERVAL_MS) < INTERVAL_MS * 0.1, gaps.join());
    });

    scenario('suspend: asks nobody, keeps its last values, and goes on when it is over', async () => {
      const suspended = await steered('suspended');
      await suspended.apply(suspended.spec({ interval: '1s' }));
      await suspended.until('16', ({ actualValue }) => actualValue === 16);
      await suspended.apply(suspended.spec({ interval: '1s', suspend: true }));
      const { status } = await suspended.untilReason('Ready', 'Suspended');
      assert.deepEqual([status?.actualValue, status?.desiredValue], [16, 16]);
      const before = suspended.asked();
      await suspended.load(2000);
      const attemptedAt = status?.lastAttemptAt;
      await suspended.until('another attempt', ({ lastAttemptAt }) => lastAttemptAt !== attemptedAt);
      assert.deepEqual(suspended.asked(), before);
      assert.equal(await suspended.zone.weightOf('aws'), 16);
      await suspended.apply(suspended.spec({ interval: '1s' }));
      await suspended.untilWeight(8);
    });

    scenario('dryRun: says what it would write, and leaves the record', async () => {
      const dry = await steered('dry');
      await dry.apply(dry.spec({ dryRun: true }));
      const { status } = await dry.until('a desired 16', ({ desiredValue }) => desiredValue === 16);
      assert.deepEqual([status?.actualValue, status?.condition], [1, 'Healthy']);
      assert.equal(await dry.zone.weightOf('aws'), 1);
      assert.equal(dry.asked().changes, 0);
    });

    scenario(
      'Secret rotated -> next evaluation uses the new key, and one that comes late is used too',
      async () => {
        const secret = await steered('secret');
        const { target, ...others } = secret.spec({ interval: '1s' });
        const auth = {
          secretRef: {
            accessKeyIDSecretRef: { name: 'route53', key: 'id' },
            secretAccessKeySecretRef: { name: 'route53', key: 'key' },
          },
        };
        await secret.apply({ ...others, target: { route53: { ...target.route53, auth } } });
        await secret.until('SecretMissing', ({ conditions }) =>
          JSON.stringify(conditions).includes('SecretMissing'),
        );
        /** The Secret is there before the next evaluation that begins after `rotated`. */
        const rotateTo = async (id: string): Promise<void> => {
          await applyObject(own.plane, {
            apiVersion: 'v1',
            kind: 'Secret',
            metadata: { name: 'route53', namespace },
            stringData: { id, key: TEST_KEYS.secretAccessKey },
          });
          const rotated = performance.now();
          const signature = await waitFor(`a call after ${id} was given`, LATE, () => {
            const evaluation = secret.queriedAtMs().find((atMs) => atMs > rotated);
            const call = own.world.route53.requests.find(
              ({ path, atMs }) => atMs > (evaluation ?? Infinity) && path.includes(`/${secret.zone.id}/`),
            );
            return call === undefined ? notYet('none') : arrived(call.headers.authorization ?? 'unsigned');
          });
          assert.match(signature, new RegExp(`Credential=${id}/`));
        };
        await rotateTo('FIRSTKEY');
        await secret.untilWeight(16);
        await rotateTo('SECONDKEY');
      },
    );

    scenario('object deleted -> its series vanish', async () => {
      const deleted = await steered('deleted');
      // The hook forgets one that it has not seen for three intervals: an attempt on a busy machine must not take so long.
      await deleted.apply(deleted.spec({ interval: '3s' }));
      await deleted.until('16', ({ actualValue }) => actualValue === 16);
      const series = async (): Promise<readonly string[]> => {
        const answer = await fetch(`${own.world.chain.urlOf('rebalance')}/metrics`);
        return (await answer.text())
          .split('\n')
          .filter((line) => line.includes(`name="deleted",namespace="${namespace}"`));
      };
      assert.notDeepEqual(await series(), [], 'it has no series');
      await own.plane.kubectl(['delete', 'rebalance', 'deleted', '-n', namespace]);
      await waitFor('its series to be gone', LATE, async () => {
        const left = await series();
        return left.length === 0 ? arrived(undefined) : notYet(left.join(', '));
      });
      assert.equal(await deleted.zone.weightOf('aws'), 16, 'its weight stays');
    });

    /** Two on one record: by the older's load of 3000 its weight is 16, by the younger's of 2000 it would be 8. */
    const rivals = async (name: string): Promise<{ readonly older: Steered; readonly younger: Steered }> => {
      const older = await steered(`${name}-older`);
      const younger = await steered(`${name}-younger`);
      await younger.load(2000);
      await older.apply(older.spec({ interval: '1s' }));
      const { status } = await older.until('16', ({ actualValue }) => actualValue === 16);
      // an interval later, since a creationTimestamp has whole seconds
      await older.until('another attempt', ({ lastAttemptAt }) => lastAttemptAt !== status?.lastAttemptAt);
      await younger.apply(younger.spec({ interval: '1s', target: older.spec().target }));
      await younger.untilReason('Ready', 'Conflict');
      return { older, younger };
    };
    /** The lines of a table, each as its cells that are not empty, with every age as "age". */
    const listed = async (...names: readonly string[]): Promise<readonly (readonly string[])[]> => {
      const table = await own.plane.kubectl(['get', 'rebalances', ...names, '-o', 'wide', '-n', namespace]);
      const lines = table.trim().split('\n').slice(1);
      return lines.map((line) => line.split(/\s+/).map((cell) => cell.replace(/^(\d+[smhd])+$/, 'age')));
    };

    scenario(
      'two on one record: the older steers, the younger says Conflict, in `kubectl get` too, and asks nobody; once the older is deleted the younger takes over',
      async () => {
        const { older, younger } = await rivals('deleted');
        const { status } = await younger.read();
        await younger.until(
          'another attempt',
          ({ lastAttemptAt }) => lastAttemptAt !== status?.lastAttemptAt,
        );
        assert.deepEqual(await listed(older.name, younger.name), [
          [older.name, '16', '16', '3000', 'True', 'age', 'age', 'Healthy', 'false'],
          [younger.name, 'False', 'age', 'Unhealthy', 'false'],
        ]);
        const message = `Rebalance ${namespace}/${older.name}, which is older, steers the same record of zone ${older.zone.id}: delete one of the two, or let it steer another record`;
        const told = await untilTold(own.plane, { name: younger.name, namespace }, 'Conflict');
        assert.deepEqual(told, [{ type: 'Warning', reason: 'Conflict', message }]);
        assert.equal(status?.conditions?.find(({ type }) => type === 'Ready')?.message, message);
        assert.deepEqual([younger.asked().queries, older.asked().changes], [0, 1]);

        await own.plane.kubectl(['delete', 'rebalance', older.name, '-n', namespace]);
        await younger.until('8', ({ actualValue }) => actualValue === 8);
        assert.equal(await older.zone.weightOf('aws'), 8);
        assert.deepEqual(await listed(younger.name), [
          [younger.name, '8', '8', '2000', 'True', 'age', 'age', 'Healthy', 'false'],
        ]);
        await untilTold(own.plane, { name: younger.name, namespace }, 'Conflict', 'WeightChanged');
      },
    );

    scenario('two on one record: once the older steers another, the younger takes over', async () => {
      const { older, younger } = await rivals('moved');
      const { target } = younger.spec();
      await older.apply(older.spec({ interval: '1s', target }));
      await older.until('16', ({ actualValue }) => actualValue === 16);
      assert.equal(await younger.zone.weightOf('aws'), 16);
      await younger.until('8', ({ actualValue }) => actualValue === 8);
      assert.equal(await older.zone.weightOf('aws'), 8);
      const told = await untilTold(own.plane, { name: older.name, namespace }, 'WeightChanged');
      assert.deepEqual(new Set(told.map(({ reason }) => reason)), new Set(['WeightChanged']));
    });

    scenario('status lost (cleared by kubectl): evaluated anew, and the weight stays', async () => {
      const lost = await steered('lost');
      await lost.apply(lost.spec({ interval: '2s' }));
      await lost.until('16', ({ actualValue }) => actualValue === 16);
      const clear = ['--subresource=status', '--type=merge', '-p', '{"status":null}'];
      await own.plane.kubectl(['patch', 'rebalance', 'lost', ...clear, '-n', namespace]);
      const { status } = await lost.until('16 again', ({ actualValue }) => actualValue === 16);
      assert.equal(status?.condition, 'Healthy');
      assert.equal(await lost.zone.weightOf('aws'), 16);
      assert.equal(lost.asked().changes, 1);
    });
  });
}
