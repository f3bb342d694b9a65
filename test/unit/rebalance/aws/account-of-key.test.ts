import assert from 'node:assert/strict';
import { accountOfKey } from '../../../../src/rebalance/aws/account-of-key.ts';

describe('the account of an access key', () => {
  const rows: readonly (readonly [string, string | undefined, string])[] = [
    ['ASIAY34FZKBOKMUTVV7A', '609629065308', 'of a session, as published with its account'],
    ['ASIAVJ2E6QGR2WZILJFM', '364679954851', 'of another one'],
    ['AKIASP2TPHJSQH3FJXYZ', '171436882533', 'of a user'],
    ['ASIAQAAAAAAAGMKEM7X5', '000000000000', 'with leading zeros'],
    ['AKIAIOSFODNN7EXAMPLE', undefined, 'of the older form, which does not tell'],
    ['AKIA7777777777777777', undefined, 'whose number has thirteen digits'],
    ['AKIAEXAMPLE', undefined, 'that is too short'],
    ['ASIAY34FZKBOKMUTVV7AA', undefined, 'that is too long'],
    ['ASIAY34FZKBOKMUTVV70', undefined, 'with a letter that base32 does not have'],
    ['test', undefined, 'of an emulator'],
    ['', undefined, 'that is empty'],
  ];
  for (const [id, account, what] of rows)
    it(`${id} ${what}: ${account}`, () => assert.equal(accountOfKey(id), account));
});
