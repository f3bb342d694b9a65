import assert from 'node:assert/strict';
import { parseRebalanceSpec } from '../../../src/api/rebalance.ts';
import { wireSpec } from '../../support/rebalance.ts';
import type { ControlPlane } from './control-plane.ts';
import { applyObject, createNamespace, getJson } from './objects.ts';
import { sharedControlPlane } from './shared.ts';

const NAMESPACE = 'admission-rebalance';

function rebalance(name: string, spec: object): object {
  return {
    apiVersion: 'rebalancer.ch1aki.github.io/v1',
    kind: 'Rebalance',
    metadata: { name, namespace: NAMESPACE },
    spec,
  };
}

const withFloor = (floor: object) =>
  wireSpec({ scheduled: [{ startTime: '19:00', endTime: '23:00', value: 20, ...floor }] });
const withRecords = (resources: readonly object[] | undefined, more: object = {}, reference?: string) => {
  const resource = { name: 'example.com', type: 'A', ...more };
  return wireSpec({}, { target: { route53: { hostedZoneID: 'Z1', resource, resources, reference } } });
};
/** Rules of CEL that have two sides, broken on the other one than by the samples in metacontroller/samples/invalid. */
const refused: Readonly<Record<string, object>> = {
  'an interval below 1s': wireSpec({}, { interval: '999ms' }),
  'a weight without action Weight': wireSpec({}, { onFailure: { weight: 5 } }),
  'one record and several': withRecords([{ identifier: 'blue' }], { identifier: 'aws' }),
  'neither one record nor several': withRecords(undefined),
  'a record listed twice': withRecords([{ identifier: 'blue' }, { identifier: 'blue', share: 2 }]),
  'a reference that is one of several own records': withRecords([{ identifier: 'blue' }], {}, 'blue'),
};

/** Refused too, in words of the API server's own. */
const refusedOtherwise: Readonly<Record<string, object>> = {
  'no policy': { ...wireSpec(), policy: {} },
  'a target value of 0': wireSpec({ targetValue: 0 }),
  'a time that no day has': withFloor({ endTime: '25:00' }),
};

describe('the API server, asked for a Rebalance', () => {
  let plane: ControlPlane;
  before(async function () {
    plane = await sharedControlPlane(this);
    await createNamespace(plane, NAMESPACE);
  });

  for (const [name, spec] of Object.entries(refused)) {
    it(`refuses ${name} in the hook's own words`, async () => {
      const parsed = parseRebalanceSpec(spec);
      assert.ok(!parsed.ok, 'the hook takes this spec');
      await assert.rejects(applyObject(plane, rebalance('refused', spec)), ({ message }: Error) => {
        for (const problem of parsed.error)
          assert.ok(message.includes(problem.message), `"${problem.message}" is not in: ${message}`);
        return true;
      });
    });
  }

  for (const [name, spec] of Object.entries(refusedOtherwise)) {
    it(`refuses ${name}, as the hook does`, async () => {
      assert.ok(!parseRebalanceSpec(spec).ok, 'the hook takes this spec');
      await assert.rejects(
        applyObject(plane, rebalance('refused', spec)),
        /"refused" is invalid: \W*spec\.policy/,
      );
    });
  }

  it('takes a hundred records, and stores a share of 1 for each', async () => {
    const spec = withRecords(Array.from({ length: 100 }, (_, n) => ({ identifier: `record-${n}` })));
    await applyObject(plane, rebalance('hundred', spec));
    const stored = await getJson<{ readonly spec: unknown }>(plane, 'rebalance', 'hundred', '-n', NAMESPACE);
    const [ours, theirs] = [parseRebalanceSpec(spec), parseRebalanceSpec(stored.spec)];
    assert.ok(ours.ok && theirs.ok);
    assert.deepEqual(theirs.value.spec, ours.value.spec);
  });

  it('takes every field, and stores the defaults that the hook would take', async () => {
    const spec = {
      ...withFloor({ startTime: '9:00', endTime: '24:00', days: ['Mon'] }),
      onFailure: { action: 'Weight', weight: 0 },
    };
    await applyObject(plane, rebalance('taken', spec));
    const stored = await getJson<{ readonly spec: unknown }>(plane, 'rebalance', 'taken', '-n', NAMESPACE);
    const [ours, theirs] = [parseRebalanceSpec(spec), parseRebalanceSpec(stored.spec)];
    assert.ok(ours.ok && theirs.ok);
    assert.deepEqual(theirs.value.spec, ours.value.spec);
    assert.match(JSON.stringify(stored.spec), /"timeZone":"UTC"/);
    assert.match(JSON.stringify(stored.spec), /"threshold":3/);
  });

  it("nulls; unknown fields (strict kubectl refuses, others are pruned), such as a sample's of the original; the hook reads the same before and after", async () => {
    const nulls = { interval: null, suspend: null, onFailure: null, behavior: null };
    const spec = { ...wireSpec({ maximum: null, scheduled: null, Scheduled: [] }), ...nulls };
    const object = rebalance('pruned', spec);
    await assert.rejects(
      applyObject(plane, object),
      /unknown field "spec\.policy\.targettracking\.Scheduled"/,
    );
    const path = `/apis/rebalancer.ch1aki.github.io/v1/namespaces/${NAMESPACE}/rebalances`;
    const { status, text } = await plane.call({ method: 'POST', path, body: object });
    assert.equal(status, 201, text);
    assert.doesNotMatch(text, /Scheduled|null/);
    const { spec: stored } = JSON.parse(text) as { readonly spec: unknown };
    const [ours, theirs] = [parseRebalanceSpec(spec), parseRebalanceSpec(stored)];
    assert.ok(ours.ok && theirs.ok);
    assert.deepEqual(theirs.value.spec, ours.value.spec);
    assert.deepEqual(ours.value.unknownFields, ['spec.policy.targettracking.Scheduled']);
  });
});
