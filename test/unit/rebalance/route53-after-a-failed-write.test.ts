import assert from 'node:assert/strict';
import { createRoute53Store } from '../../../src/rebalance/targets/route53.ts';
import { faults, type Route53Fault } from '../../support/route53-stand-in.ts';
import {
  context,
  failureOf,
  hastyTimer,
  ours,
  record,
  target,
  useStoredZone,
} from '../../support/route53-store.ts';

describe('Route 53 after a write that failed', () => {
  const zone = useStoredZone();

  const rows: readonly {
    name: string;
    fault: Route53Fault;
    reason: string;
    unknown: boolean;
    inDns: number;
  }[] = [
    {
      name: 'knows that a refusal changed nothing',
      fault: faults.accessDenied,
      reason: 'AccessDenied',
      unknown: false,
      inDns: 8,
    },
    {
      name: 'knows that a request behind another one changed nothing',
      fault: faults.priorRequestNotComplete,
      reason: 'PriorRequestNotComplete',
      unknown: false,
      inDns: 8,
    },
    {
      name: 'does not know what an internal failure did',
      fault: faults.internalFailure,
      reason: 'TargetError',
      unknown: true,
      inDns: 8,
    },
    {
      name: 'does not know what a reset connection did, when nothing was done',
      fault: faults.reset,
      reason: 'TargetUnreachable',
      unknown: true,
      inDns: 8,
    },
    {
      name: 'does not know what a lost answer did, when all was done',
      fault: faults.answerLost,
      reason: 'TargetUnreachable',
      unknown: true,
      inDns: 9,
    },
    {
      name: 'does not know what an answer of a proxy means',
      fault: { ...faults.webPage, httpStatus: 200 },
      reason: 'TargetError',
      unknown: true,
      inDns: 8,
    },
    {
      name: 'does not know what an aborted call did',
      fault: faults.hang,
      reason: 'TargetTimeout',
      unknown: true,
      inDns: 8,
    },
  ];
  for (const { name, fault, reason, unknown, inDns } of rows) {
    it(name, async () => {
      zone.put(record());
      zone.route53.fail('ChangeResourceRecordSets', fault, 3);
      const budgetMs = fault.kind === 'Hang' ? 60 : 8_000;
      const failure = await zone.writeFailure(9, {}, context(budgetMs));
      assert.deepEqual([failure.reason, failure.outcomeUnknown], [reason, unknown]);
      assert.equal(zone.weightOf('aws'), inDns);
    });
  }

  it('does not know it when a lost answer is followed by a refusal of the retry', async () => {
    zone.put(record());
    zone.route53.fail('ChangeResourceRecordSets', faults.answerLost);
    zone.route53.fail('ChangeResourceRecordSets', faults.accessDenied);
    const failure = await zone.writeFailure(9);
    assert.deepEqual([failure.reason, failure.outcomeUnknown], ['AccessDenied', true]);
  });

  it('knows that a write to a closed port changed nothing', async () => {
    zone.put(record());
    const reading = await zone.readSet();
    await zone.route53.stop();
    const unconnected = createRoute53Store({ endpoint: zone.route53.url, timer: hastyTimer });
    const failure = failureOf(await unconnected.writeWeights(target(), reading, ours(9), context()));
    assert.deepEqual([failure.reason, failure.outcomeUnknown], ['TargetUnreachable', false]);
  });
});
