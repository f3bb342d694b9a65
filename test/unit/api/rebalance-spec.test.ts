import assert from 'node:assert/strict';
import { parseRebalanceSpec, readIntervalMs } from '../../../src/api/rebalance.ts';
import { displayRational } from '../../../src/foundation/rational.ts';
import type { RebalanceSpec } from '../../../src/rebalance/spec.ts';
import { weight } from '../../../src/rebalance/weight.ts';
import { readSpec, wireSpec } from '../../support/rebalance.ts';
import { floor, POLICY, ROUTE53, withPart, withRecords } from '../../support/rebalance-wire.ts';

describe('parseRebalanceSpec', () => {
  it('reads the README example of the original, with every default', () => {
    const spec = readSpec({
      dryRun: true,
      interval: '1m',
      policy: { targettracking: { targetValue: 1000, baseValue: 8 } },
      target: {
        route53: {
          hostedZoneID: 'hostedzone/XXXXXXXXXX',
          region: 'ap-northeast-1',
          resource: { name: 'example.com', type: 'A', identifier: 'aws' },
          auth: {
            secretRef: {
              accessKeyIDSecretRef: { name: 'rebalancer-aws-secret', key: 'access-key' },
              secretAccessKeySecretRef: { name: 'rebalancer-aws-secret', key: 'secret-access-key' },
            },
          },
        },
      },
      metrics: {
        prometheus: { address: 'http://prometheus.example:9090', timeout: 30, query: 'sum(load)' },
      },
    });
    const { policy, ...rest } = spec;
    assert.deepEqual(rest, {
      suspend: false,
      dryRun: true,
      intervalMs: 60_000,
      behavior: undefined,
      onFailure: { kind: 'Hold', threshold: 3 },
      target: {
        kind: 'Route53',
        hostedZoneId: 'XXXXXXXXXX',
        region: 'ap-northeast-1',
        name: 'example.com',
        type: 'A',
        records: [{ identifier: 'aws', share: 1 }],
        reference: undefined,
        compareAndSwap: false,
        auth: {
          base: {
            kind: 'SecretKeys',
            accessKeyId: { name: 'rebalancer-aws-secret', key: 'access-key' },
            secretAccessKey: { name: 'rebalancer-aws-secret', key: 'secret-access-key' },
            sessionToken: undefined,
          },
          role: undefined,
        },
      },
      metric: {
        kind: 'Prometheus',
        path: 'spec.metrics.prometheus',
        address: 'http://prometheus.example:9090',
        query: 'sum(load)',
        timeoutMs: 30_000,
        noData: 'Hold',
        windowMs: 0,
        headers: {},
        queryParams: {},
        auth: { kind: 'None' },
        tls: undefined,
      },
      additionalMetrics: [],
      guards: [],
    } satisfies Omit<RebalanceSpec, 'policy'>);
    const { targetValue, tolerance, ...tracking } = policy;
    assert.deepEqual([displayRational(targetValue), displayRational(tolerance)], ['1000', '0']);
    assert.deepEqual(tracking, {
      kind: 'TargetTracking',
      signal: 'Demand',
      baseValue: 8,
      minimum: weight(0),
      maximum: weight(255),
      disableScaleIn: false,
      scheduled: [],
    });
  });

  it('reads every field', () => {
    const spec = readSpec(
      wireSpec(
        {
          targetValue: 0.11,
          minimum: 2,
          maximum: 200,
          tolerance: 0.05,
          disableScaleIn: true,
          scheduled: [
            { startTime: '9:00', endTime: '24:00', value: 20, timeZone: 'Asia/Tokyo', days: ['Mon', 'Tue'] },
            { startTime: '23:00', endTime: '02:00', value: 30 },
          ],
        },
        {
          suspend: true,
          interval: '1h30m',
          behavior: {
            increase: { stabilizationWindowSeconds: 300 },
            decrease: {
              policies: [{ type: 'Percent', value: 10, periodSeconds: 60 }],
              selectPolicy: 'Min',
            },
          },
          onFailure: { threshold: 5, action: 'Weight', weight: 0 },
          target: {
            route53: {
              hostedZoneID: '/hostedzone/Z1',
              resource: { name: '*.Example.com.', type: 'cname', identifier: 'aws' },
              reference: 'onprem',
              write: 'CompareAndSwap',
              auth: {},
            },
          },
          metrics: {
            prometheus: {
              address: 'https://prometheus/prefix',
              query: 'load',
              noData: 'Zero',
              headers: { 'X-Scope-OrgID': 'a' },
              queryParams: { dedup: 'true' },
              auth: {
                secretRef: {
                  userSecretRef: { name: 'p', key: 'user' },
                  passwordSecretRef: { name: 'p', key: 'password', namespace: 'other' },
                },
              },
            },
          },
        },
      ),
    );
    assert.equal(displayRational(spec.policy.targetValue), '0.11');
    assert.equal(displayRational(spec.policy.tolerance), '0.05');
    assert.deepEqual(spec.policy.scheduled, [
      { start: 540, end: 1440, value: 20, timeZone: 'Asia/Tokyo', days: new Set(['Mon', 'Tue']) },
      {
        start: 1380,
        end: 120,
        value: 30,
        timeZone: 'UTC',
        days: new Set(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']),
      },
    ]);
    assert.deepEqual(
      [spec.suspend, spec.intervalMs, spec.policy.minimum, spec.policy.maximum, spec.policy.disableScaleIn],
      [true, 5_400_000, 2, 200, true],
    );
    assert.deepEqual(spec.behavior, {
      increase: { stabilisationMs: 300_000, policies: [], select: 'Max' },
      decrease: {
        stabilisationMs: 0,
        policies: [{ kind: 'Percent', value: 10, periodMs: 60_000 }],
        select: 'Min',
      },
    });
    assert.deepEqual(spec.onFailure, { kind: 'Weight', threshold: 5, weight: 0 });
    assert.deepEqual(spec.target, {
      kind: 'Route53',
      hostedZoneId: 'Z1',
      region: undefined,
      name: '*.Example.com.',
      type: 'CNAME',
      records: [{ identifier: 'aws', share: 1 }],
      reference: 'onprem',
      compareAndSwap: true,
      auth: { base: { kind: 'DefaultChain' }, role: undefined },
    });
    assert.deepEqual(spec.metric, {
      kind: 'Prometheus',
      path: 'spec.metrics.prometheus',
      address: 'https://prometheus/prefix',
      query: 'load',
      timeoutMs: 10_000,
      noData: 'Zero',
      windowMs: 0,
      headers: { 'X-Scope-OrgID': 'a' },
      queryParams: { dedup: 'true' },
      auth: {
        kind: 'Basic',
        user: { name: 'p', key: 'user' },
        password: { name: 'p', key: 'password', namespace: 'other' },
      },
      tls: undefined,
    });
  });

  it('takes what lies on a bound', () => {
    assert.equal(readSpec(withPart('interval', '1s')).intervalMs, 1_000);
    assert.equal(readSpec(withPart('interval', '24h')).intervalMs, 86_400_000);
    const { policy } = readSpec(wireSpec({ minimum: 20, maximum: 20, tolerance: 1, scheduled: floor() }));
    assert.deepEqual([policy.minimum, policy.maximum, policy.scheduled[0]?.value], [20, 20, 20]);
  });

  it('takes an absent half of behavior, and behavior of nothing, as no limit', () => {
    const free = { stabilisationMs: 0, policies: [], select: 'Max' };
    for (const behavior of [{}, { increase: {} }, { increase: null, decrease: { selectPolicy: null } }])
      assert.deepEqual(readSpec(withPart('behavior', behavior)).behavior, { increase: free, decrease: free });
    assert.deepEqual(
      readSpec(withPart('behavior', { decrease: { selectPolicy: 'Disabled' } })).behavior?.decrease,
      {
        ...free,
        select: 'Disabled',
      },
    );
  });

  it('writes to DNS unless the spec says otherwise', () => {
    const { dryRun, suspend } = readSpec(wireSpec());
    assert.deepEqual({ dryRun, suspend }, { dryRun: false, suspend: false });
  });

  it('takes several records as they are listed, each with a share of 1 where none is given', () => {
    const { target } = readSpec(withRecords({ identifier: 'green', share: 3 }, { identifier: 'blue' }));
    assert.deepEqual(target.records, [
      { identifier: 'green', share: 3 },
      { identifier: 'blue', share: 1 },
    ]);
  });

  it('takes <id>, hostedzone/<id> and /hostedzone/<id> as the same zone', () => {
    for (const id of ['Z1', 'hostedzone/Z1', '/hostedzone/Z1'])
      assert.equal(readSpec(withPart(`${ROUTE53}.hostedZoneID`, id)).target.hostedZoneId, 'Z1');
  });

  it('takes null for absent, at every depth', () => {
    const absent = readSpec(withPart(POLICY, { targetValue: 1000 }));
    const nulls = {
      ...withPart(POLICY, { targetValue: 1000, baseValue: null, minimum: null, scheduled: null }),
      suspend: null,
      onFailure: { threshold: null },
    };
    assert.deepEqual(readSpec(nulls), absent);
  });

  it('lists what it does not know, and ignores it (s14: the original loses Scheduled in silence)', () => {
    const parsed = parseRebalanceSpec({
      ...withPart(`${POLICY}.Scheduled`, floor()),
      paused: true,
      behaviour: { increase: {} },
      behavior: { increase: { stabilisationWindowSeconds: 300 } },
    });
    assert.ok(parsed.ok);
    assert.deepEqual(parsed.value.unknownFields, [
      'spec.policy.targettracking.Scheduled',
      'spec.paused',
      'spec.behaviour',
      'spec.behavior.increase.stabilisationWindowSeconds',
    ]);
  });
});

describe('the interval of a spec that is unreadable otherwise', () => {
  const rows: readonly (readonly [string, unknown, number])[] = [
    ['is read', { interval: '90s', policy: 7 }, 90_000],
    ['is a minute where it is unreadable', { interval: 'soon' }, 60_000],
    ['is a minute where it is out of bounds', { interval: '100h' }, 60_000],
    ['is a minute where it is absent', {}, 60_000],
    ['is a minute where there is no spec', undefined, 60_000],
  ];
  for (const [name, raw, expected] of rows) it(name, () => assert.equal(readIntervalMs(raw), expected));
});
