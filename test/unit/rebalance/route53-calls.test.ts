import assert from 'node:assert/strict';
import type { Route53Call } from '../../../src/rebalance/targets/route53-calls.ts';
import { createRoute53Store } from '../../../src/rebalance/targets/route53.ts';
import { callContext, secretsOf } from '../../support/call-context.ts';
import { specOf } from '../../support/rebalance.ts';
import {
  startRoute53StandIn,
  type Route53Fault,
  type Route53StandIn,
} from '../../support/route53-stand-in.ts';

describe('the requests to Route 53', () => {
  const key = (name: string): object => ({ name: 'aws', key: name });
  const { target } = specOf(
    {},
    {
      target: {
        route53: {
          hostedZoneID: 'Z0123456789',
          resource: { name: 'example.com', type: 'A', identifier: 'aws' },
          auth: { secretRef: { accessKeyIDSecretRef: key('id'), secretAccessKeySecretRef: key('secret') } },
        },
      },
    },
  );
  let route53: Route53StandIn;
  beforeEach(async () => {
    route53 = await startRoute53StandIn();
    route53.createZone('Z0123456789', 'example.com');
  });
  afterEach(() => route53.stop());

  const throttling: Route53Fault = {
    kind: 'Error',
    httpStatus: 400,
    code: 'Throttling',
    message: 'Rate exceeded',
  };
  const denied: Route53Fault = { kind: 'Error', httpStatus: 403, code: 'AccessDenied', message: 'no' };
  const rows: readonly {
    readonly name: string;
    readonly faults: readonly Route53Fault[];
    readonly results: readonly Route53Call['result'][];
  }[] = [
    { name: 'one that succeeds is one', faults: [], results: ['ok'] },
    { name: 'a throttled one and its retry are two', faults: [throttling], results: ['throttled', 'ok'] },
    {
      name: 'so are those of a proxy that says so by the status alone',
      faults: [{ kind: 'Raw', httpStatus: 429, contentType: 'text/plain', body: 'not now' }],
      results: ['throttled', 'ok'],
    },
    { name: 'a refused one is an error', faults: [denied], results: ['error'] },
  ];
  for (const { name, faults, results } of rows) {
    it(`are told one by one: ${name}`, async () => {
      for (const fault of faults) route53.fail('ListResourceRecordSets', fault);
      const told: Route53Call[] = [];
      const store = createRoute53Store({ endpoint: route53.url, onCall: (call) => told.push(call) });
      const secrets = secretsOf({ 'aws/id': 'AKIAEXAMPLE', 'aws/secret': 'wJalrXUtnFEMI' });
      await store.readSet(target, callContext({ secrets }));
      assert.deepEqual(
        told,
        results.map((result) => ({ operation: 'ListResourceRecordSets', result })),
      );
      assert.equal(route53.count('ListResourceRecordSets'), told.length);
    });
  }
});
