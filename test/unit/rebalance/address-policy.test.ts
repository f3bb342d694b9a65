import assert from 'node:assert/strict';
import {
  createAddressPolicy,
  type AddressVerdict,
  type AllowedAddress,
} from '../../../src/rebalance/metrics/address-policy.ts';
import { guardedLookup, type Resolve } from '../../../src/rebalance/metrics/guarded-lookup.ts';
import { createPrometheus } from '../../../src/rebalance/metrics/prometheus.ts';
import { callContext } from '../../support/call-context.ts';
import { scalar, startPrometheusStandIn, type PrometheusStandIn } from '../../support/prometheus-stand-in.ts';
import { readMetric } from '../../support/read-metric.ts';

describe('an address', () => {
  const rows: readonly { readonly name: string; readonly verdict: AddressVerdict; readonly all: string }[] = [
    { name: 'of the internet is called', verdict: 'Allowed', all: '8.8.8.8 2001:4860::8888' },
    { name: 'of a private network is called', verdict: 'Allowed', all: '10.1.2.3 192.168.1.1 fd00::1' },
    {
      name: 'of loopback is called: sidecars and demos are there',
      verdict: 'Allowed',
      all: '127.0.0.1 ::1 ::ffff:127.0.0.1',
    },
    {
      name: 'of an IPv4 network behind NAT64 is judged by what it leads to',
      verdict: 'Allowed',
      all: '64:ff9b::808:808 64:ff9b:1::a01:203 ::ffff:0:808:808 2002:808:808::1',
    },
    {
      name: 'of link local is never called',
      verdict: 'Never',
      all: '169.254.0.1 169.254.255.255 fe80::1 fe80::1%eth0 febf::1 fec0::1',
    },
    {
      name: 'of a metadata service is never called',
      verdict: 'Never',
      all: '169.254.169.254 169.254.170.2 169.254.170.23 fd00:ec2::254 fd00:ec2::23 fd20:ce::254 100.100.100.200 168.63.129.16 192.0.0.192',
    },
    { name: 'that is none is never called', verdict: 'Never', all: '0.0.0.0 0.1.2.3 :: ::2 ::a9fe:a9fe' },
    {
      name: 'of many is never called',
      verdict: 'Never',
      all: '224.0.0.1 239.255.255.255 255.255.255.255 ff02::1',
    },
    {
      name: 'of link local is never called by another spelling: mapped, translated, tunnelled',
      verdict: 'Never',
      all: '::ffff:169.254.169.254 ::ffff:a9fe:a9fe 64:ff9b::a9fe:a9fe 64:ff9b::169.254.169.254 64:ff9b:1::a9fe:a9fe ::ffff:0:a9fe:a9fe ::ffff:0:169.254.169.254 2002:a9fe:a9fe:: 2002:a9fe:a9fe::1',
    },
    { name: 'that cannot be read is never called', verdict: 'Never', all: 'example.com 10.0.0 10.0.0.256' },
  ];
  for (const { name, verdict, all } of rows)
    it(name, () => {
      const policy = createAddressPolicy();
      const judged = all.split(' ').map((address) => [address, policy.judge('prometheus', address)]);
      assert.deepEqual(
        judged,
        all.split(' ').map((address) => [address, verdict]),
      );
    });

  describe('where the operator lists what may be called', () => {
    const policy = createAddressPolicy([
      { kind: 'Host', name: 'prometheus.monitoring.svc' },
      { kind: 'Host', name: '*.example.com' },
      { kind: 'Network', address: '10.0.0.0', prefix: 8 },
      { kind: 'Network', address: 'fd00::', prefix: 8 },
    ]);
    const listed: readonly (readonly [
      name: string,
      host: string,
      address: string,
      verdict: AddressVerdict,
    ])[] = [
      ['is called in a listed network', 'any', '10.255.0.1', 'Allowed'],
      ['is called in a listed network, mapped', 'any', '::ffff:10.0.0.1', 'Allowed'],
      ['is called in a listed network of IPv6', 'any', 'fd12::1', 'Allowed'],
      ['is called at a listed host, wherever it is', 'Prometheus.Monitoring.svc.', '8.8.8.8', 'Allowed'],
      ['is called below a listed domain', 'a.b.example.com', '8.8.8.8', 'Allowed'],
      ['is not called at the domain itself', 'example.com', '8.8.8.8', 'NotListed'],
      ['is not called at a host that only ends alike', 'evilexample.com', '8.8.8.8', 'NotListed'],
      ['is not called elsewhere', 'any', '11.0.0.1', 'NotListed'],
      ['is not called at loopback, unless listed', 'localhost', '127.0.0.1', 'NotListed'],
      ['is never called at metadata, not even by a listed host', 'a.example.com', '169.254.169.254', 'Never'],
      ['is never called at metadata, not even in a listed network', 'any', 'fd00:ec2::254', 'Never'],
    ];
    for (const [name, host, address, verdict] of listed)
      it(name, () => assert.equal(policy.judge(host, address), verdict));
  });
});

describe('the lookup of a connection', () => {
  const resolve: Resolve = (_host, _options, done) =>
    done(null, [
      { address: 'fe80::1', family: 6 },
      { address: '10.0.0.1', family: 4 },
      { address: '10.0.0.2', family: 4 },
    ]);
  const look = (all: boolean, how = resolve) => {
    const answers: unknown[] = [];
    guardedLookup(createAddressPolicy(), how)('prometheus', { all }, (...answer) => answers.push(answer));
    return answers;
  };

  it('gives the first address that may be called to who wants one, and all of them to who wants all', () => {
    assert.deepEqual(look(false), [[null, '10.0.0.1', 4]]);
    assert.deepEqual(look(true), [
      [
        null,
        [
          { address: '10.0.0.1', family: 4 },
          { address: '10.0.0.2', family: 4 },
        ],
      ],
    ]);
  });

  it("hands on the resolver's own error", () => {
    const error = Object.assign(new Error('no such host'), { code: 'ENOTFOUND' });
    assert.deepEqual(
      look(true, (_host, _options, done) => done(error, [])),
      [[error, []]],
    );
  });
});

describe('a query', () => {
  let prometheus: PrometheusStandIn;
  beforeEach(async () => {
    prometheus = await startPrometheusStandIn();
    prometheus.setDefault(scalar(3));
  });
  afterEach(() => prometheus.stop());

  /** A resolver that says one list of addresses after the other, the last one for ever. */
  const resolving = (...answers: readonly (readonly string[])[]) => {
    const asked: string[] = [];
    const resolve: Resolve = (host, _options, done) => {
      const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
      asked.push(host);
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    };
    return { resolve, asked };
  };
  const named = (host: string): string => prometheus.url.replace('127.0.0.1', host);
  const FIELD = 'spec.metrics.prometheus.address';
  const NEVER = 'leads to an address that is never called: link local, metadata, unspecified or multicast';
  const NOT_LISTED = 'is not among what --prometheus-allow lists; ask the operator for it';

  for (const [written, read] of [
    ['http://169.254.169.254', 'http://169.254.169.254'],
    ['http://2852039166', 'http://169.254.169.254'],
    ['http://0251.0376.0251.0376', 'http://169.254.169.254'],
    ['http://0xa9.254.43518', 'http://169.254.169.254'],
    ['http://①⑥⑨.254.169.254', 'http://169.254.169.254'],
    ['http://[::ffff:169.254.170.2]', 'http://[::ffff:a9fe:aa02]'],
    ['https://[fd00:ec2::254]', 'https://[fd00:ec2::254]'],
    ['http://[64:ff9b::169.254.169.254]/latest', 'http://[64:ff9b::a9fe:a9fe]/latest'],
    ['http://0', 'http://0.0.0.0'],
  ] as const)
    it(`is not sent to ${written}`, async () => {
      assert.deepEqual(await readMetric({ address: written }), [
        'AddressRefused',
        `${FIELD}: ${read} ${NEVER}`,
      ]);
    });

  it('is not sent to a name that leads to metadata, whose address is not told', async () => {
    const { resolve } = resolving(['169.254.169.254', 'fd00:ec2::254']);
    const address = named('metadata.test');
    assert.deepEqual(await readMetric({ address }, callContext(), createPrometheus({ resolve })), [
      'AddressRefused',
      `${FIELD}: ${address} ${NEVER}`,
    ]);
  });

  it('goes over TLS by the same rule', async () => {
    const { resolve } = resolving(['169.254.169.254']);
    const [reason] = await readMetric(
      { address: 'https://metadata.test' },
      callContext(),
      createPrometheus({ resolve }),
    );
    assert.equal(reason, 'AddressRefused');
  });

  it('goes to the addresses of a name that may be called, and to no other', async () => {
    const { resolve } = resolving(['169.254.169.254', '127.0.0.1']);
    const source = createPrometheus({ resolve });
    assert.deepEqual(await readMetric({ address: named('prometheus.test') }, callContext(), source), [
      'Value',
      '3',
    ]);
  });

  it('asks the resolver once for each connection, so that a name cannot lead elsewhere once it is judged', async () => {
    const { resolve, asked } = resolving(['127.0.0.1'], ['169.254.169.254']);
    const source = createPrometheus({ resolve });
    const address = named('rebinding.test');
    const body = JSON.stringify({ status: 'success', data: { resultType: 'scalar', result: [1, '3'] } });
    prometheus.setDefault({ kind: 'Raw', httpStatus: 200, headers: { connection: 'close' }, body });
    assert.deepEqual(await readMetric({ address }, callContext(), source), ['Value', '3']);
    assert.deepEqual(await readMetric({ address }, callContext(), source), [
      'AddressRefused',
      `${FIELD}: ${address} ${NEVER}`,
    ]);
    assert.deepEqual([asked, prometheus.requests.length], [['rebinding.test', 'rebinding.test'], 1]);
  });

  describe('where the operator lists what may be called', () => {
    const readListed = (allowed: AllowedAddress, host: string) => {
      const { resolve } = resolving(['127.0.0.1']);
      const source = createPrometheus({ resolve, allowed: [allowed] });
      return readMetric({ address: named(host) }, callContext(), source);
    };

    it('goes to a listed host', async () => {
      assert.deepEqual(await readListed({ kind: 'Host', name: 'prometheus.test' }, 'prometheus.test'), [
        'Value',
        '3',
      ]);
    });

    it('goes to an address of a listed network, written as such or by a name', async () => {
      const loopback = { kind: 'Network', address: '127.0.0.0', prefix: 8 } as const;
      assert.deepEqual(await readListed(loopback, '127.0.0.1'), ['Value', '3']);
      assert.deepEqual(await readListed(loopback, 'prometheus.test'), ['Value', '3']);
    });

    for (const host of ['other.test', '127.0.0.1'])
      it(`does not go to ${host}, which is not listed`, async () => {
        assert.deepEqual(await readListed({ kind: 'Host', name: 'prometheus.test' }, host), [
          'AddressRefused',
          `${FIELD}: ${named(host)} ${NOT_LISTED}`,
        ]);
        assert.equal(prometheus.requests.length, 0);
      });
  });
});
