import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { parseSettings } from '../../../src/config/parse.ts';
import type { Settings } from '../../../src/config/settings.ts';
import { at, listAt, textAt } from '../../support/at.ts';
import { KUSTOMIZE, parseObjects, render, ROOT, type Manifest } from '../../support/kustomize.ts';
import { parseController } from '../../support/metacontroller/composite-controller.ts';

const BASE = join(ROOT, 'metacontroller/base');
const OVERLAYS = ['dev', 'no-cert-manager', 'production'] as const;
const CONTAINER = 'spec.template.spec.containers.0';

const base = readdirSync(BASE, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.yaml') && !path.endsWith('kustomization.yaml'))
  .flatMap((path) => parseObjects(readFileSync(join(BASE, path), 'utf8')));

function find(objects: readonly Manifest[], kind: string, name: string): Manifest {
  const [found, ...others] = objects.filter(
    (object) => object.kind === kind && object.metadata.name === name,
  );
  if (found === undefined || others.length > 0) throw new Error(`not exactly one ${kind} ${name}`);
  return found;
}

describe('the base manifests', () => {
  for (const hook of ['balancer', 'rebalance']) {
    const name = `counterpoise-${hook}`;
    const deployment = find(base, 'Deployment', name);
    const policy = find(base, 'NetworkPolicy', name);

    it(`point Metacontroller at the ${hook} hook by its Service, strictly, and wait longer than its budget`, () => {
      const controller = find(base, 'CompositeController', name);
      assert.equal(at(controller, 'spec.generateSelector'), true);
      assert.deepEqual(at(controller, 'spec.hooks'), {
        sync: {
          version: 'v1',
          webhook: {
            url: `http://${name}.counterpoise.svc/${hook}/sync`,
            timeout: '10s',
            responseUnMarshallMode: 'strict',
          },
        },
      });
      const labels = { 'app.kubernetes.io/name': 'counterpoise', 'app.kubernetes.io/component': hook };
      assert.deepEqual(at(find(base, 'Service', name), 'spec'), {
        selector: labels,
        ports: [{ name: 'http', port: 80, targetPort: 'http' }],
      });
      assert.deepEqual(at(deployment, `${CONTAINER}.ports`), [{ name: 'http', containerPort: 8080 }]);
      assert.deepEqual(at(deployment, 'spec.template.metadata.labels'), labels);
      assert.deepEqual(at(deployment, 'spec.selector.matchLabels'), labels);
      assert.deepEqual(at(policy, 'spec.podSelector.matchLabels'), labels);
    });

    it(`run the ${hook} hook alone in its pod, without a privilege`, () => {
      assert.deepEqual(at(deployment, `${CONTAINER}.args`), [`--hooks=${hook}`]);
      assert.equal(at(deployment, `${CONTAINER}.image`), 'counterpoise');
      assert.deepEqual(at(deployment, 'spec.template.spec.securityContext'), {
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      assert.deepEqual(at(deployment, `${CONTAINER}.securityContext`), {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    });

    it(`watch over the ${hook} hook by /readyz and /healthz, and bound its memory`, () => {
      assert.equal(at(deployment, `${CONTAINER}.readinessProbe.httpGet.path`), '/readyz');
      assert.equal(at(deployment, `${CONTAINER}.livenessProbe.httpGet.path`), '/healthz');
      assert.deepEqual(at(deployment, `${CONTAINER}.resources`), {
        requests: { cpu: '50m', memory: '96Mi' },
        limits: { memory: '512Mi' },
      });
    });

    it(`give the ${hook} hook an account of its own, whose token only its pod mounts`, () => {
      assert.equal(at(deployment, 'spec.template.spec.serviceAccountName'), name);
      assert.equal(at(deployment, 'spec.template.spec.automountServiceAccountToken'), true);
      assert.equal(find(base, 'ServiceAccount', name)['automountServiceAccountToken'], false);
    });

    it(`let Metacontroller and a labelled Prometheus in to the ${hook} hook, nobody else`, () => {
      const http = [{ port: 'http', protocol: 'TCP' }];
      assert.deepEqual(at(policy, 'spec.policyTypes'), ['Ingress', 'Egress']);
      assert.deepEqual(at(policy, 'spec.ingress'), [
        {
          from: [
            {
              namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'metacontroller' } },
              podSelector: { matchLabels: { 'app.kubernetes.io/name': 'metacontroller' } },
            },
          ],
          ports: http,
        },
        { from: [{ namespaceSelector: { matchLabels: { metrics: 'enabled' } } }], ports: http },
      ]);
    });
  }

  it('update the three children of a Balancer in place, Certificates last', () => {
    const updateStrategy = { method: 'InPlace' };
    assert.deepEqual(at(find(base, 'CompositeController', 'counterpoise-balancer'), 'spec.childResources'), [
      { apiVersion: 'apps/v1', resource: 'deployments', updateStrategy },
      { apiVersion: 'v1', resource: 'services', updateStrategy },
      { apiVersion: 'cert-manager.io/v1', resource: 'certificates', updateStrategy },
    ]);
  });

  it('give a Rebalance no children, and do not sync it for its own status', () => {
    const controller = find(base, 'CompositeController', 'counterpoise-rebalance');
    assert.equal(at(controller, 'spec.childResources'), undefined);
    assert.deepEqual(at(controller, 'spec.parentResource'), {
      apiVersion: 'rebalancer.ch1aki.github.io/v1',
      resource: 'rebalances',
      ignoreStatusChanges: true,
    });
  });

  it('run two Balancer hooks, of which one may be evicted, and never two Rebalance hooks', () => {
    assert.equal(at(find(base, 'Deployment', 'counterpoise-balancer'), 'spec.replicas'), 2);
    assert.equal(at(find(base, 'PodDisruptionBudget', 'counterpoise-balancer'), 'spec.maxUnavailable'), 1);
    const rebalance = find(base, 'Deployment', 'counterpoise-rebalance');
    assert.equal(at(rebalance, 'spec.replicas'), 1);
    assert.deepEqual(at(rebalance, 'spec.strategy'), { type: 'Recreate' });
  });

  it('keep the Rebalance hook away from the metadata service of its node', () => {
    const egress = listAt(find(base, 'NetworkPolicy', 'counterpoise-rebalance'), 'spec.egress');
    assert.deepEqual(
      egress.flatMap((rule) => listAt(rule, 'to')).map((peer) => at(peer, 'ipBlock')),
      [
        { cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] },
        { cidr: '::/0', except: ['fe80::/10', 'fd00:ec2::/32'] },
        { cidr: '169.254.170.23/32' },
        { cidr: 'fd00:ec2::23/128' },
      ],
    );
  });
});

/** Every right of every role, as "verbs resource.group", behind "role -> who is bound to it". */
function grants(objects: readonly Manifest[]): Readonly<Record<string, readonly string[]>> {
  const bindings = objects.filter((object) => object.kind === 'ClusterRoleBinding');
  const roles = objects.filter((object) => object.kind === 'ClusterRole');
  return Object.fromEntries(
    roles.map((role) => {
      const { name } = role.metadata;
      const bound = bindings
        .filter((binding) => at(binding, 'roleRef.name') === name)
        .flatMap((binding) => listAt(binding, 'subjects').map((subject) => textAt(subject, 'name')));
      return [`${name} -> ${bound.join(', ') || 'nobody'}`, listAt(role, 'rules').map(ruleText)];
    }),
  );
}

function ruleText(rule: unknown): string {
  const resources = listAt(rule, 'resources').flatMap((resource) =>
    listAt(rule, 'apiGroups').map((group) =>
      group === '' ? String(resource) : `${String(resource)}.${String(group)}`,
    ),
  );
  return `${listAt(rule, 'verbs').join(' ')} ${resources.join(' ')}`;
}

describe('the rights', () => {
  it('are the least: a hook reads by name and records Events, one takes over; Metacontroller does the rest', () => {
    assert.deepEqual(grants(base), {
      'counterpoise-balancer -> counterpoise-balancer': [
        'get patch delete deployments.apps',
        'get patch services',
        'get patch certificates.cert-manager.io',
        'get balancers.materialize.cloud',
        'create patch events',
      ],
      'counterpoise-rebalance -> counterpoise-rebalance': [
        'get list rebalances.rebalancer.ch1aki.github.io',
        'create patch events',
      ],
      'counterpoise-rebalance-secrets -> counterpoise-rebalance': ['get secrets'],
      'counterpoise-metacontroller -> nobody': [
        'get list watch customresourcedefinitions.apiextensions.k8s.io',
        'get list watch balancers.materialize.cloud',
        'get list watch rebalances.rebalancer.ch1aki.github.io',
        'update balancers/status.materialize.cloud',
        'update rebalances/status.rebalancer.ch1aki.github.io',
        'update balancers/finalizers.materialize.cloud',
        'get list watch create update delete deployments.apps',
        'get list watch create update delete services',
        'get list watch create update delete certificates.cert-manager.io',
      ],
    });
  });

  it('are picked up by a Metacontroller whose role aggregates', () => {
    assert.deepEqual(find(base, 'ClusterRole', 'counterpoise-metacontroller').metadata.labels, {
      'rbac.authorization.k8s.io/aggregate-to-metacontroller': 'true',
    });
  });
});

/** What an overlay makes of the container of a hook. */
function hookContainer(overlay: string, hook: string): Readonly<Record<string, unknown>> {
  const deployment = find(render(`metacontroller/overlays/${overlay}`), 'Deployment', `counterpoise-${hook}`);
  const { image, imagePullPolicy, args, env } = at(deployment, CONTAINER) as Record<string, unknown>;
  return { replicas: at(deployment, 'spec.replicas'), image, imagePullPolicy, args, env };
}

/** The variable of components/callers. */
const TOKEN_FILE = {
  name: 'COUNTERPOISE_AUTH_TOKEN_FILE',
  value: '/etc/counterpoise/callers/accepted',
};

/** What the hook of an overlay makes of its arguments and environment. */
function hookSettings(overlay: string, hook: string): Settings {
  const { args, env } = hookContainer(overlay, hook);
  const settings = parseSettings(args as readonly string[], variablesOf(env));
  if (!settings.ok) assert.fail(settings.error);
  return settings.value;
}

/** Which key of which Secret stands at a path inside of the container; a mount without items has every key. */
function mountedSecret(deployment: unknown, path: string): { secretName: string; key: string } | undefined {
  const key = basename(path);
  const mount = listAt(at(deployment, CONTAINER), 'volumeMounts').find(
    (each) => textAt(each, 'mountPath') === dirname(path),
  );
  const volume = listAt(at(deployment, 'spec.template.spec'), 'volumes').find(
    (each) => textAt(each, 'name') === textAt(mount, 'name'),
  );
  const items = listAt(volume, 'secret.items');
  const item = items.length === 0 ? { key } : items.find((each) => textAt(each, 'path') === key);
  return item === undefined
    ? undefined
    : { secretName: textAt(volume, 'secret.secretName'), key: textAt(item, 'key') };
}

/** An overlay of a user's own: one of ours with a component, by their paths under metacontroller/. */
function renderWith(overlay: string, component: string): readonly Manifest[] {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), 'counterpoise-overlay-'));
  try {
    const from = (path: string): string =>
      relative(directory, join(realpathSync(ROOT), 'metacontroller', path));
    const kustomization = {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: [from(overlay)],
      components: [from(component)],
    };
    writeFileSync(join(directory, 'kustomization.yaml'), JSON.stringify(kustomization));
    return render(relative(ROOT, directory));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function variablesOf(env: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    listAt({ env }, 'env').map((entry) => [textAt(entry, 'name'), textAt(entry, 'value')]),
  );
}

const title =
  KUSTOMIZE === undefined
    ? 'not rendered: neither kubectl nor kustomize is here'
    : `by ${KUSTOMIZE.join(' ')}`;

describe(`the overlays (${title})`, () => {
  it('are three', () => {
    assert.deepEqual(readdirSync(join(ROOT, 'metacontroller/overlays')).toSorted(), OVERLAYS);
  });
  if (KUSTOMIZE === undefined) return;

  it('production: the pinned image, and the settings of Materialize’s Helm chart for Balancers', () => {
    assert.deepEqual(hookContainer('production', 'balancer'), {
      replicas: 2,
      image: 'counterpoise:0.1.0',
      imagePullPolicy: undefined,
      args: ['--hooks=balancer'],
      env: [
        { name: 'COUNTERPOISE_ENABLE_SECURITY_CONTEXT', value: 'true' },
        { name: 'COUNTERPOISE_ENABLE_PROMETHEUS_SCRAPE_ANNOTATIONS', value: 'true' },
        { name: 'COUNTERPOISE_IMAGE_PULL_POLICY', value: 'if-not-present' },
        {
          name: 'COUNTERPOISE_BALANCERD_DEFAULT_RESOURCES',
          value: '{"limits": {"memory": "256Mi"}, "requests": {"cpu": "500m", "memory": "256Mi"}}',
        },
        TOKEN_FILE,
      ],
    });
    assert.deepEqual(hookContainer('production', 'rebalance'), {
      replicas: 1,
      image: 'counterpoise:0.1.0',
      imagePullPolicy: undefined,
      args: ['--hooks=rebalance'],
      env: [TOKEN_FILE],
    });
  });

  for (const hook of ['balancer', 'rebalance'])
    it(`production: the ${hook} hook takes syncs from who sends the token of a Secret, and Metacontroller sends it`, () => {
      const objects = render('metacontroller/overlays/production');
      const { tokenFile } = hookSettings('production', hook).access;
      const deployment = find(objects, 'Deployment', `counterpoise-${hook}`);
      const mounted = mountedSecret(deployment, tokenFile ?? '');
      assert.deepEqual(mounted, { secretName: 'counterpoise-callers', key: 'accepted' });
      const controller = find(objects, 'CompositeController', `counterpoise-${hook}`);
      assert.deepEqual(at(controller, 'spec.hooks.sync.webhook.authorization'), {
        type: 'Bearer',
        secretRef: { name: 'counterpoise-callers', namespace: 'counterpoise', key: 'token' },
      });
      const parsed = parseController(controller);
      assert.ok(parsed.ok, parsed.ok ? '' : parsed.error);
    });

  it('production: a Metacontroller whose role aggregates may read that Secret, in the way it reads Secrets', () => {
    const role = find(
      render('metacontroller/overlays/production'),
      'ClusterRole',
      'counterpoise-metacontroller-secrets',
    );
    assert.equal(role.metadata.labels?.['rbac.authorization.k8s.io/aggregate-to-metacontroller'], 'true');
    assert.deepEqual(listAt(role, 'rules').map(ruleText), ['get list watch secrets']);
  });

  for (const hook of ['balancer', 'rebalance'])
    it(`production with components/tls: the ${hook} hook speaks HTTPS to probes and Metacontroller, which knows its CA`, () => {
      const objects = renderWith('overlays/production', 'components/tls');
      const name = `counterpoise-${hook}`;
      const deployment = find(objects, 'Deployment', name);
      const settings = parseSettings([`--hooks=${hook}`], variablesOf(at(deployment, `${CONTAINER}.env`)));
      if (!settings.ok) assert.fail(settings.error);
      const { tls } = settings.value.access;
      assert.deepEqual(
        [tls?.certFile, tls?.keyFile].map((path) => mountedSecret(deployment, path ?? '')),
        [
          { secretName: 'counterpoise-tls', key: 'tls.crt' },
          { secretName: 'counterpoise-tls', key: 'tls.key' },
        ],
      );
      for (const probe of ['readinessProbe', 'livenessProbe']) {
        assert.equal(at(deployment, `${CONTAINER}.${probe}.httpGet.scheme`), 'HTTPS');
      }
      assert.deepEqual(at(find(objects, 'Service', name), 'spec.ports'), [
        { name: 'http', port: 443, targetPort: 'http' },
      ]);
      const webhook = at(find(objects, 'CompositeController', name), 'spec.hooks.sync.webhook');
      assert.equal(textAt(webhook, 'url'), `https://${name}.counterpoise.svc/${hook}/sync`);
      assert.deepEqual(at(webhook, 'caBundle.secretRef'), {
        name: 'counterpoise-tls',
        namespace: 'counterpoise',
        key: 'ca.crt',
      });
      assert.ok(at(webhook, 'authorization'), 'and still shows its token');
    });

  it('no-cert-manager: production without the Certificate among the children, and nothing else', () => {
    const production = render('metacontroller/overlays/production');
    const variant = render('metacontroller/overlays/no-cert-manager');
    const [differing, ...others] = variant.filter(
      (object, index) => JSON.stringify(object) !== JSON.stringify(production[index]),
    );
    assert.deepEqual(others, []);
    assert.deepEqual(
      listAt(differing, 'spec.childResources').map((child) => at(child, 'resource')),
      ['deployments', 'services'],
    );
  });

  it('dev: one pod a hook, a loaded image, and no weight is ever written', () => {
    const common = { replicas: 1, image: 'counterpoise:dev', imagePullPolicy: 'Never', env: undefined };
    assert.deepEqual(hookContainer('dev', 'balancer'), { ...common, args: ['--hooks=balancer'] });
    assert.deepEqual(hookContainer('dev', 'rebalance'), {
      ...common,
      args: ['--hooks=rebalance', '--observe-only'],
    });
  });

  for (const overlay of OVERLAYS)
    it(`${overlay}: what has a namespace is in the one that webhooks and bindings name`, () => {
      const clusterWide = new Set(['Namespace', 'ClusterRole', 'ClusterRoleBinding', 'CompositeController']);
      const objects = render(`metacontroller/overlays/${overlay}`);
      for (const object of objects) {
        const expected = clusterWide.has(object.kind) ? undefined : 'counterpoise';
        assert.equal(object.metadata.namespace, expected, `${object.kind} ${object.metadata.name}`);
      }
      const subjects = objects.flatMap((object) => listAt(object, 'subjects'));
      assert.deepEqual(
        new Set(subjects.map((subject) => at(subject, 'namespace'))),
        new Set(['counterpoise']),
      );
    });

  for (const overlay of OVERLAYS)
    for (const hook of ['balancer', 'rebalance'])
      it(`${overlay}: the ${hook} hook accepts its arguments and environment, and fits Metacontroller's timeout`, () => {
        const { hooks, hookBudgetMs } = hookSettings(overlay, hook);
        assert.deepEqual([...hooks], [hook]);
        assert.ok(hookBudgetMs < 10_000);
      });

  it('production: the settings mean what Materialize’s chart means by them', () => {
    const { enableSecurityContext, enablePrometheusScrapeAnnotations, imagePullPolicy, defaultResources } =
      hookSettings('production', 'balancer').balancer;
    assert.deepEqual(
      { enableSecurityContext, enablePrometheusScrapeAnnotations, imagePullPolicy, defaultResources },
      {
        enableSecurityContext: true,
        enablePrometheusScrapeAnnotations: true,
        imagePullPolicy: 'IfNotPresent',
        defaultResources: { limits: { memory: '256Mi' }, requests: { cpu: '500m', memory: '256Mi' } },
      },
    );
  });

  it('samples: every file is listed', () => {
    const samples = join(ROOT, 'metacontroller/samples');
    const objects = readdirSync(samples)
      .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
      .flatMap((name) => parseObjects(readFileSync(join(samples, name), 'utf8')));
    assert.equal(render('metacontroller/samples').length, objects.length);
  });
});
