import assert from 'node:assert/strict';
import { plainName } from '../../../src/rebalance/targets/route53-names.ts';

describe('a DNS name', () => {
  const rows = [
    { name: 'keeps a plain one', given: 'www.example.com', expected: 'www.example.com' },
    { name: 'has no trailing dot (s1)', given: 'www.example.com.', expected: 'www.example.com' },
    { name: 'is lower case (s1)', given: 'WWW.Example.COM', expected: 'www.example.com' },
    { name: 'resolves the escaped wildcard (s5)', given: '\\052.example.com.', expected: '*.example.com' },
    {
      name: 'resolves escaped capitals as letters',
      given: '\\127ww.example.com',
      expected: 'www.example.com',
    },
    {
      name: 'resolves any printable escape',
      given: '_sip\\045x.example.com',
      expected: '_sip%x.example.com',
    },
    {
      name: 'keeps an escaped dot, which does not part labels',
      given: 'a\\056b.example.com',
      expected: 'a\\056b.example.com',
    },
    { name: 'keeps an escaped backslash', given: 'a\\134b.example.com', expected: 'a\\134b.example.com' },
    { name: 'keeps an escaped space', given: 'a\\040b.example.com', expected: 'a\\040b.example.com' },
    {
      name: 'keeps an escaped byte beyond ASCII',
      given: '\\303\\274.example.com',
      expected: '\\303\\274.example.com',
    },
  ];
  for (const { name, given, expected } of rows) {
    it(name, () => assert.equal(plainName(given), expected));
  }

  it('is the same to DNS however it is written', () => {
    assert.equal(plainName('*.EXAMPLE.com'), plainName('\\052.example.com.'));
    assert.notEqual(plainName('www.example.com'), plainName('ww.example.com'));
  });
});
