import assert from 'node:assert/strict';
import {
  agentFailure,
  assumeRoleFailure,
  chainFailure,
  describeConnection,
  refusedReason,
} from '../../../src/rebalance/aws/failures.ts';
import { transportFailure } from '../../../src/rebalance/metrics/transport.ts';
import { toFailure } from '../../../src/rebalance/targets/route53-failures.ts';
import { specOf } from '../../support/rebalance.ts';

/** Whoever answers chooses the code of an error, and every object has a member of these names. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);

describe('a code that is the name of what every object inherits', () => {
  const { target } = specOf();
  const failuresOf: Readonly<Record<string, (code: string) => { readonly reason: string }>> = {
    'of the session of a role': (name) => assumeRoleFailure({ name }),
    "of the process' credentials": (name) => chainFailure({ name }),
    'of the Pod Identity agent': (Code) => agentFailure({ Code }),
    'of Route 53': (name) =>
      toFailure({ target, action: 'route53:ListResourceRecordSets', thrown: { name }, isAborted: false }),
    'of a connection': transportFailure,
  };
  for (const [whose, failureOf] of Object.entries(failuresOf)) {
    it(`${whose} means no more than any that is not known`, () => {
      const { reason: expected } = failureOf('NobodyKnows');
      for (const code of INHERITED) assert.equal(failureOf(code).reason, expected, code);
    });
  }
  it('refuses no credentials, and is told as any other', () => {
    for (const code of INHERITED) {
      assert.equal(refusedReason(code), undefined, code);
      assert.equal(describeConnection(code), `cannot be reached (${code})`);
    }
  });
});
