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
const withPrometheus = (more: object) =>
  wireSpec({}, { metrics: { prometheus: { address: 'http://prometheus:9090', query: 'load', ...more } } });
const manyKeys = Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`X-${n}`, 'a']));

/** Each rule of CEL, broken. */
const refused: Readonly<Record<string, object>> = {
  'an interval below 1s': wireSpec({}, { interval: '999ms' }),
  'an interval above 24h': wireSpec({}, { interval: '25h' }),
  'a minimum above the maximum': wireSpec({ minimum: 11, maximum: 10 }),
  'a floor above the maximum': wireSpec({
    maximum: 10,
    scheduled: [{ startTime: '19:00', endTime: '23:00', value: 11 }],
  }),
  'a floor whose start is its end': withFloor({ startTime: '9:00', endTime: '09:00' }),
  'a weight without action Weight': wireSpec({}, { onFailure: { weight: 5 } }),
  'action Weight without a weight': wireSpec({}, { onFailure: { action: 'Weight' } }),
  'a reference that is the own record': wireSpec(
    {},
    {
      target: {
        route53: {
          hostedZoneID: 'Z1',
          resource: { name: 'example.com', type: 'A', identifier: 'aws' },
          reference: 'aws',
        },
      },
    },
  ),
  'a header name with a space': withPrometheus({ headers: { 'X Scope': 'a' } }),
  'a parameter that the service sets': withPrometheus({ queryParams: { time: '0' } }),
};

/** Refused too, in words of the API server's own. */
const refusedOtherwise: Readonly<Record<string, object>> = {
  'a zone that does not exist': withFloor({ timeZone: 'Asia/Atlantis' }),
  'an address that is no URL': withPrometheus({ address: 'http://[::1' }),
  'no policy': { ...wireSpec(), policy: {} },
  'more headers than are allowed': withPrometheus({ headers: manyKeys }),
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
      await assert.rejects(applyObject(plane, rebalance('refused', spec)));
    });
  }

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
});
