import assert from 'node:assert/strict';
import fc from 'fast-check';
import { renderResponse } from '../../src/hooks/respond.ts';
import { isRecord } from '../../src/foundation/record.ts';
import { isLabelValue } from '../../src/kubernetes/labels.ts';
import type { DesiredObject } from '../../src/kubernetes/objects.ts';
import { canonicalQuantity } from '../../src/kubernetes/quantity.ts';
import { at, listAt } from '../support/at.ts';
import {
  ALL_KINDS,
  answer,
  applied,
  balancerSettings,
  type BalancerCase,
  NOW_MS,
  ofKind,
  UID,
} from '../support/balancer.ts';

const SEED = { seed: 20_261_130 };

const dnsLabel = fc.stringMatching(/^[a-z]([a-z0-9-]{0,20}[a-z0-9])?$/);
const labelKey = fc.oneof(
  dnsLabel,
  fc.constantFrom('app', 'materialize.cloud/name', 'app.kubernetes.io/name', 'prometheus.io/port'),
);
const labels = fc.dictionary(labelKey, fc.stringMatching(/^([a-z0-9]([a-z0-9._-]{0,20}[a-z0-9])?)?$/), {
  maxKeys: 5,
});
const quantity = fc.oneof(
  fc.integer({ min: 0, max: 1e9 }),
  fc.double({ min: 0, max: 1e6, noNaN: true }).filter((value) => canonicalQuantity(value) !== undefined),
  fc
    .tuple(
      fc.stringMatching(/^[0-9]{1,5}(\.[0-9]{0,3})?$/),
      fc.constantFrom('', 'm', 'k', 'M', 'Ki', 'Mi', 'Gi', 'e3', 'E2'),
    )
    .map(([number, suffix]) => number + suffix),
);
const resources = fc.dictionary(fc.constantFrom('cpu', 'memory', 'example.com/gpu'), quantity);

/** Each field present, absent or null. */
function fields(model: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<object> {
  const nullable = Object.fromEntries(
    Object.entries(model).map(([key, value]) => [key, fc.option(value, { nil: null })]),
  );
  return fc.record(nullable, { requiredKeys: [] });
}

const certificate = fields({
  dnsNames: fc.array(dnsLabel, { maxLength: 3 }),
  duration: fc.constantFrom('1h', '2160h', '1h30m'),
  renewBefore: fc.constantFrom('10m', '720h'),
  issuerRef: fc
    .tuple(dnsLabel, fields({ kind: fc.constantFrom('', 'ClusterIssuer'), group: dnsLabel }))
    .map(([name, rest]) => ({ name, ...rest })),
  secretTemplate: fields({ annotations: labels, labels }),
  privateKeyAlgorithm: fc.constantFrom('RSA', 'ECDSA', 'Ed25519'),
  privateKeySize: fc.constantFrom(256, 384, 521, 2048, 4096, 7),
});

const spec = fc
  .tuple(
    fc.stringMatching(/^[a-z]{1,9}\/[a-z]{1,9}:v[0-9]{1,3}$/),
    dnsLabel,
    dnsLabel,
    fields({
      resourceRequirements: fields({ limits: resources, requests: resources }),
      replicas: fc.nat(1000),
      externalCertificateSpec: certificate,
      internalCertificateSpec: certificate,
      podAnnotations: labels,
      podLabels: labels,
      configmapName: dnsLabel,
      resourceId: dnsLabel,
      fronteggRouting: fc.constant(null),
    }),
  )
  .map(([balancerdImageRef, environmentdNamespace, environmentdServiceName, rest]) => ({
    balancerdImageRef,
    staticRouting: { environmentdNamespace, environmentdServiceName },
    ...rest,
  }));

const port = fc.integer({ min: 1, max: 65_535 });
const CERTIFICATES =
  '{"internal":{"issuerRef":{"name":"a"}},"balancerdExternal":{"issuerRef":{"name":"b"},"privateKeyAlgorithm":"RSA"}}';
const SETTINGS = [
  [],
  ['--enable-security-context', '--image-pull-policy=never', '--scheduler-name=other'],
  ['--enable-prometheus-scrape-annotations', '--balancerd-node-selector=a=,b=c'],
  ['--balancerd-affinity={"podAntiAffinity":null}'],
  ['--balancerd-toleration={"key":"a","value":"","operator":"Exists"}'],
  ['--balancerd-default-resources={"limits":{"cpu":"1000m"}}', `--default-certificate-specs=${CERTIFICATES}`],
].map((flags) => balancerSettings(...flags));
const settings = fc
  .tuple(fc.constantFrom(...SETTINGS), port, port)
  .map(([base, balancerdSqlPort, environmentdHttpPort]) => ({
    ...base,
    balancerdSqlPort,
    environmentdHttpPort,
  }));

const balancer: fc.Arbitrary<BalancerCase> = fc.record({
  spec,
  settings,
  managedKinds: fc.subarray([...ALL_KINDS], { minLength: 2 }),
  parent: fc.record({ name: dnsLabel, uid: fc.uuid(), generation: fc.nat(100) }),
  status: fc.constantFrom(
    undefined,
    {},
    { resourceId: 'settled' },
    { resourceId: 'NOT USABLE', conditions: 5 },
  ),
});

/** Objects as a cluster, or a person with curl, may have them. */
const observedChild = fc
  .tuple(
    fc.constantFrom(
      ['apps/v1', 'Deployment'],
      ['v1', 'Service'],
      ['v1', 'Secret'],
      ['cert-manager.io/v1', 'Certificate'],
    ),
    dnsLabel,
    fc.option(fc.oneof(fc.json(), fc.string()), { nil: undefined }),
    fc.jsonValue(),
  )
  .map(([[apiVersion = '', kind = ''], name, lastApplied, spec]) => ({
    apiVersion,
    kind,
    metadata: {
      name,
      annotations:
        lastApplied === undefined ? {} : { 'metacontroller.k8s.io/last-applied-configuration': lastApplied },
    },
    spec,
  }));

function wanted(given: BalancerCase): readonly DesiredObject[] {
  return answer(given).children;
}

/** Paths of empty texts; values of labels, annotations and node selectors may be empty. */
function emptyTexts(value: unknown, path: string): readonly string[] {
  if (value === '') return /(labels|annotations|nodeSelector|matchLabels)\.[^ ]+$/i.test(path) ? [] : [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => emptyTexts(item, `${path}.${key}`));
}

/** The order in which the arguments of balancerd stand; a Balancer has those that apply. */
const ARGUMENT_ORDER = [
  'service',
  '--pgwire-listen-addr',
  '--https-listen-addr',
  '--internal-http-listen-addr',
  '--https-resolver-template',
  '--static-resolver-addr',
  '--internal-tls',
  '--config-sync-file-path',
  '--config-sync-loop-interval',
  '--tls-mode',
  '--tls-cert',
  '--tls-key',
];

describe('any Balancer under any settings', () => {
  const holds = (name: string, property: (given: BalancerCase) => void): void => {
    it(name, () => {
      fc.assert(fc.property(balancer, property), { ...SEED, numRuns: 150 });
    });
  };

  holds('is answered in a form that the border lets pass, with nothing null and no name twice', (given) => {
    const { namespace, uid } = { namespace: 'prod', uid: String(given.parent?.['uid']) };
    renderResponse(answer(given), { namespace, uid });
  });

  holds('gets no empty text', (given) => {
    assert.deepEqual(emptyTexts(wanted(given), ''), []);
  });

  holds('has its arguments in one order', (given) => {
    for (const deployment of wanted(given).filter(({ kind }) => kind === 'Deployment')) {
      const names = listAt(deployment, 'spec.template.spec.containers.0.args').map(
        (argument) => String(argument).split('=')[0],
      );
      assert.deepEqual(
        names,
        ARGUMENT_ORDER.filter((name) => names.includes(name)),
      );
      assert.ok(names.length >= 7);
    }
  });

  holds('selects its own pods, by the Deployment and by the Service', (given) => {
    for (const deployment of wanted(given).filter(({ kind }) => kind === 'Deployment')) {
      const podLabels = at(deployment, 'spec.template.metadata.labels') as object;
      const selected = at(deployment, 'spec.selector.matchLabels') as object;
      const bySelector = at(ofKind(wanted(given), 'Service'), 'spec.selector') as object;
      assert.equal(Object.keys(selected).length, 6);
      assert.deepEqual({ ...podLabels, ...selected, ...bySelector }, podLabels);
      for (const value of Object.values(podLabels)) assert.ok(isLabelValue(String(value)));
    }
  });

  holds('mounts every volume once, and nothing else', (given) => {
    for (const deployment of wanted(given).filter(({ kind }) => kind === 'Deployment')) {
      const names = (list: string): readonly unknown[] =>
        listAt(deployment, `spec.template.spec.${list}`).map((item) => at(item, 'name'));
      assert.deepEqual(names('containers.0.volumeMounts'), names('volumes'));
      assert.equal(new Set(names('volumes')).size, names('volumes').length);
    }
  });

  holds('has quantities in a form that stays', (given) => {
    for (const deployment of wanted(given).filter(({ kind }) => kind === 'Deployment')) {
      const { limits = {}, requests = {} } =
        (at(deployment, 'spec.template.spec.containers.0.resources') as
          Readonly<Record<string, Readonly<Record<string, string>>>> | undefined) ?? {};
      for (const value of [...Object.values(limits), ...Object.values(requests)])
        assert.equal(canonicalQuantity(value), value);
    }
  });

  holds('is settled: what was answered, observed and asked again is answered to the byte', (given) => {
    const first = answer(given);
    const observe = (nowMs: number, status: unknown): BalancerCase => ({
      ...given,
      nowMs,
      status: { ...(isRecord(status) ? status : {}), observedGeneration: 1 },
      children: first.children.map((child) => applied(child)),
    });
    const second = answer(observe(NOW_MS + 1_000, first.status));
    const third = answer(observe(NOW_MS + 86_400_000, second.status));
    assert.equal(JSON.stringify(third), JSON.stringify(second));
    if (second.status.conditions[1]?.status === 'True')
      assert.equal(JSON.stringify(second.children), JSON.stringify(first.children));
  });

  holds('is the same without its nulls', (given) => {
    const present = JSON.parse(JSON.stringify(given.spec), (_key, value: unknown) =>
      value === null ? undefined : value,
    ) as unknown;
    assert.deepEqual(answer({ ...given, spec: present }), answer(given));
  });
});

describe('any body', () => {
  const body: fc.Arbitrary<BalancerCase> = fc.record({
    spec: fc.oneof(
      fc.jsonValue(),
      fc.tuple(spec, fc.jsonValue()).map(([valid, junk]) => ({ ...valid, ...(junk as object) })),
    ),
    status: fc.jsonValue(),
    children: fc.array(observedChild, { maxLength: 4 }),
    parent: fc.record({ name: fc.stringMatching(/^[a-z0-9]{1,70}$/), uid: fc.constant(UID) }),
  });

  it('is answered; with an invalid spec never by fewer children than were observed', () => {
    let held = 0;
    fc.assert(
      fc.property(body, (given) => {
        const response = answer(given);
        renderResponse(response, { namespace: 'prod', uid: UID });
        assert.equal(response.status.conditions[0].type, 'Ready');
        if (response.status.conditions[1]?.status === 'True') return;
        const identity = ({
          kind,
          metadata: { name },
        }: {
          kind: string;
          metadata: { name: string };
        }): string => `${kind} ${name}`;
        const answered = new Set(response.children.map(identity));
        for (const child of (given.children ?? []) as readonly DesiredObject[]) {
          assert.ok(answered.has(identity(child)));
          held += 1;
        }
      }),
      { ...SEED, numRuns: 500 },
    );
    assert.ok(held > 300, `${held} children were held`);
  });
});

describe('any text', () => {
  it('that is a quantity has one canonical form', () => {
    let quantities = 0;
    const text = fc.oneof(
      fc.stringMatching(/^[+]?[0-9]{0,20}[.]?[0-9]{0,12}([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,2})?$/),
      fc.string(),
    );
    fc.assert(
      fc.property(text, (written) => {
        const canonical = canonicalQuantity(written);
        if (canonical === undefined) return;
        assert.equal(canonicalQuantity(canonical), canonical);
        assert.doesNotMatch(canonical, /\.|^0./);
        quantities += 1;
      }),
      { ...SEED, numRuns: 2_000 },
    );
    assert.ok(quantities > 500, `${quantities} quantities`);
  });
});
