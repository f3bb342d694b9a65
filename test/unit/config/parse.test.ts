import assert from 'node:assert/strict';
import { delimiter } from 'node:path';
import { FLAGS, flagRows } from '../../../src/config/flags.ts';
import { parseSettings, type Environment } from '../../../src/config/parse.ts';
import type { Settings } from '../../../src/config/settings.ts';

function settingsOf(argv: readonly string[], env: Environment = {}): Settings {
  const parsed = parseSettings(argv, env);
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.error);
  return parsed.value;
}

function refusalOf(argv: readonly string[], env: Environment = {}): string {
  const parsed = parseSettings(argv, env);
  assert.ok(!parsed.ok, `${argv.join(' ')} was taken`);
  return parsed.error;
}

describe('the settings', () => {
  it('have the documented defaults', () => {
    assert.deepEqual(settingsOf([]), {
      listen: { host: '0.0.0.0', port: 8080 },
      hooks: new Set(['balancer', 'rebalance']),
      hookBudgetMs: 8_000,
      bodyLimitBytes: 8_388_608,
      maxConcurrentSyncs: 256,
      shutdownGraceMs: 20_000,
      logLevel: 'info',
      access: { tls: undefined, tokenFile: undefined, loginFile: undefined, protectMetrics: false },
      kubernetes: { kind: 'None' },
      balancer: {
        enableSecurityContext: false,
        enablePrometheusScrapeAnnotations: false,
        imagePullPolicy: 'Always',
        schedulerName: undefined,
        nodeSelector: {},
        affinity: undefined,
        tolerations: [],
        defaultResources: undefined,
        defaultCertificateSpecs: settingsOf([]).balancer.defaultCertificateSpecs,
        environmentdSqlPort: 6875,
        environmentdHttpPort: 6876,
        balancerdSqlPort: 6875,
        balancerdHttpPort: 6876,
        balancerdInternalHttpPort: 8080,
      },
      rebalance: {
        observeOnly: false,
        verifyParent: true,
        minIntervalMs: 10_000,
        allowCrossNamespaceSecrets: false,
        prometheusAllowed: [],
        route53Endpoint: undefined,
        route53RatePerSecond: 3,
        route53ListWindowMs: 5_000,
      },
    } satisfies Settings);
  });

  const taken: readonly {
    readonly name: string;
    readonly argv: readonly string[];
    readonly env?: Environment;
    readonly pick: (settings: Settings) => unknown;
    readonly expected: unknown;
  }[] = [
    {
      name: 'a flag and its value as two words',
      argv: ['--listen', '127.0.0.1:0'],
      pick: (s) => s.listen,
      expected: { host: '127.0.0.1', port: 0 },
    },
    {
      name: 'a flag and its value as one word',
      argv: ['--listen=[::1]:80'],
      pick: (s) => s.listen,
      expected: { host: '::1', port: 80 },
    },
    {
      name: 'a port alone means every address',
      argv: ['--listen', ':9090'],
      pick: (s) => s.listen,
      expected: { host: '0.0.0.0', port: 9090 },
    },
    {
      name: 'the environment twin',
      argv: [],
      env: { COUNTERPOISE_HOOK_BUDGET: '4500ms' },
      pick: (s) => s.hookBudgetMs,
      expected: 4500,
    },
    {
      name: 'the line before the environment',
      argv: ['--log-level', 'warn'],
      env: { COUNTERPOISE_LOG_LEVEL: 'debug' },
      pick: (s) => s.logLevel,
      expected: 'warn',
    },
    {
      name: 'the last of two on the line',
      argv: ['--log-level', 'warn', '--log-level', 'error'],
      pick: (s) => s.logLevel,
      expected: 'error',
    },
    {
      name: 'an empty variable as none',
      argv: [],
      env: { COUNTERPOISE_SCHEDULER_NAME: '', COUNTERPOISE_BODY_LIMIT: '' },
      pick: (s) => [s.balancer.schedulerName, s.bodyLimitBytes],
      expected: [undefined, 8_388_608],
    },
    {
      name: 'one hook',
      argv: ['--hooks', 'rebalance'],
      pick: (s) => [...s.hooks],
      expected: ['rebalance'],
    },
    {
      name: 'a repeated flag, each with one or several',
      argv: ['--balancerd-node-selector=disk=ssd', '--balancerd-node-selector', 'a/zone=b,empty='],
      pick: (s) => s.balancer.nodeSelector,
      expected: { disk: 'ssd', 'a/zone': 'b', empty: '' },
    },
    {
      name: 'several node selectors in one variable',
      argv: [],
      env: { COUNTERPOISE_BALANCERD_NODE_SELECTOR: 'disk=ssd, zone=a' },
      pick: (s) => s.balancer.nodeSelector,
      expected: { disk: 'ssd', zone: 'a' },
    },
    {
      name: 'repeated JSON, in its order',
      argv: ['--balancerd-toleration={"key":"a"}', '--balancerd-toleration', '[{"key":"b"},{"key":"c"}]'],
      pick: (s) => s.balancer.tolerations,
      expected: [{ key: 'a' }, { key: 'b' }, { key: 'c' }],
    },
    {
      name: 'several tolerations in one variable, as an array',
      argv: [],
      env: { COUNTERPOISE_BALANCERD_TOLERATION: '[{"key":"a"},{"key":"b"}]' },
      pick: (s) => s.balancer.tolerations,
      expected: [{ key: 'a' }, { key: 'b' }],
    },
    {
      name: "orchestratord's word for a pull policy",
      argv: ['--image-pull-policy', 'if-not-present'],
      pick: (s) => s.balancer.imagePullPolicy,
      expected: 'IfNotPresent',
    },
    {
      name: 'sizes without a unit as bytes',
      argv: ['--body-limit', '2048'],
      pick: (s) => s.bodyLimitBytes,
      expected: 2048,
    },
    {
      name: 'an endpoint as written',
      argv: ['--route53-endpoint', 'http://127.0.0.1:5000'],
      pick: (s) => s.rebalance.route53Endpoint,
      expected: 'http://127.0.0.1:5000',
    },
    {
      name: 'what Prometheus may be: hosts, all below one, networks and addresses, in several flags',
      argv: [
        '--prometheus-allow',
        'Prometheus.monitoring.svc., *.example.com',
        '--prometheus-allow=10.0.0.0/8,fd00::/8,127.0.0.1,::1',
      ],
      pick: (s) => s.rebalance.prometheusAllowed,
      expected: [
        { kind: 'Host', name: 'prometheus.monitoring.svc' },
        { kind: 'Host', name: '*.example.com' },
        { kind: 'Network', address: '10.0.0.0', prefix: 8 },
        { kind: 'Network', address: 'fd00::', prefix: 8 },
        { kind: 'Network', address: '127.0.0.1', prefix: 32 },
        { kind: 'Network', address: '::1', prefix: 128 },
      ],
    },
    {
      name: 'a rate for Route 53',
      argv: ['--route53-rate', '1'],
      pick: (s) => s.rebalance.route53RatePerSecond,
      expected: 1,
    },
    {
      name: 'no sharing of lists',
      argv: ['--route53-list-window=0s'],
      pick: (s) => s.rebalance.route53ListWindowMs,
      expected: 0,
    },
    {
      name: 'the files that say who may call',
      argv: [
        '--tls-cert-file=/c',
        '--tls-key-file=/k',
        '--client-ca-file=/ca',
        '--basic-auth-file=/l',
        '--protect-metrics',
      ],
      pick: (s) => s.access,
      expected: {
        tls: { certFile: '/c', keyFile: '/k', clientCaFile: '/ca' },
        tokenFile: undefined,
        loginFile: '/l',
        protectMetrics: true,
      },
    },
    {
      name: 'a kubeconfig by flag before KUBECONFIG',
      argv: ['--kubeconfig', '/a'],
      env: { KUBECONFIG: '/b', KUBERNETES_SERVICE_HOST: '10.0.0.1' },
      pick: (s) => s.kubernetes,
      expected: { kind: 'Kubeconfig', paths: ['/a'] },
    },
    {
      name: 'KUBECONFIG before the cluster around the process',
      argv: [],
      env: { KUBECONFIG: '/b', KUBERNETES_SERVICE_HOST: '10.0.0.1' },
      pick: (s) => s.kubernetes,
      expected: { kind: 'Kubeconfig', paths: ['/b'] },
    },
    {
      name: 'KUBECONFIG as a list of files, as PATH is one',
      argv: [],
      env: { KUBECONFIG: `/a${delimiter}${delimiter}b/c${delimiter}` },
      pick: (s) => s.kubernetes,
      expected: { kind: 'Kubeconfig', paths: ['/a', 'b/c'] },
    },
    {
      name: 'a file of --kubeconfig whole, whatever its name has in it',
      argv: ['--kubeconfig', `/a${delimiter}/b`],
      env: { KUBECONFIG: '/c' },
      pick: (s) => s.kubernetes,
      expected: { kind: 'Kubeconfig', paths: [`/a${delimiter}/b`] },
    },
    {
      name: 'a KUBECONFIG without a file as none',
      argv: [],
      env: { KUBECONFIG: delimiter, KUBERNETES_SERVICE_HOST: '10.0.0.1' },
      pick: (s) => s.kubernetes,
      expected: { kind: 'InCluster' },
    },
    {
      name: 'the cluster around the process',
      argv: [],
      env: { KUBERNETES_SERVICE_HOST: '10.0.0.1' },
      pick: (s) => s.kubernetes,
      expected: { kind: 'InCluster' },
    },
    {
      name: 'no Kubernetes when told so',
      argv: ['--kubernetes=false'],
      env: { KUBECONFIG: '/b', KUBERNETES_SERVICE_HOST: '10.0.0.1' },
      pick: (s) => s.kubernetes,
      expected: { kind: 'None' },
    },
  ];
  for (const { name, argv, env, pick, expected } of taken) {
    it(`take ${name}`, () => assert.deepEqual(pick(settingsOf(argv, env)), expected));
  }

  const booleans = Object.entries(FLAGS).filter(([, flag]) => flag.type === 'boolean');
  for (const [name] of booleans) {
    const variable = `COUNTERPOISE_${name.toUpperCase().replaceAll('-', '_')}`;
    it(`take --${name} bare, =true and =false, on the line and in the environment`, () => {
      const env = { KUBECONFIG: '/k', COUNTERPOISE_AUTH_TOKEN_FILE: '/t' };
      const yes = settingsOf([`--${name}=true`], env);
      const no = settingsOf([`--${name}=false`], env);
      assert.notDeepEqual(yes, no);
      assert.deepEqual(settingsOf([`--${name}`], env), yes);
      assert.deepEqual(settingsOf([], { ...env, [variable]: 'true' }), yes);
      assert.deepEqual(settingsOf([], { ...env, [variable]: 'false' }), no);
      assert.match(refusalOf([], { [variable]: '' }), /expected true or false/);
      assert.match(refusalOf([`--${name}=`]), /expected true or false/);
    });
  }

  const refused: readonly {
    readonly argv: readonly string[];
    readonly env?: Environment;
    readonly says: string;
  }[] = [
    { argv: ['--nope'], says: "unknown option '--nope'; see --help" },
    {
      argv: ['--observ-only'],
      says: "unknown option '--observ-only' (Did you mean --observe-only?); see --help",
    },
    { argv: ['--listen'], says: "option '--listen <host:port>' argument missing; see --help" },
    { argv: ['extra'], says: 'too many arguments. Expected 0 arguments but got 1: extra; see --help' },
    {
      argv: ['--listen', 'localhost'],
      says: '--listen="localhost" is refused: expected host:port such as 0.0.0.0:8080 or [::1]:8080',
    },
    {
      argv: ['--listen', 'localhost:65536'],
      says: '--listen="localhost:65536" is refused: expected host:port such as 0.0.0.0:8080 or [::1]:8080',
    },
    {
      argv: [],
      env: { COUNTERPOISE_LISTEN: 'x' },
      says: 'COUNTERPOISE_LISTEN="x" is refused: expected host:port such as 0.0.0.0:8080 or [::1]:8080',
    },
    {
      argv: ['--hooks', 'balancer,nope'],
      says: '--hooks="balancer,nope" is refused: expected balancer, rebalance or several of them separated by commas',
    },
    {
      argv: ['--hooks='],
      says: '--hooks="" is refused: expected balancer, rebalance or several of them separated by commas',
    },
    {
      argv: ['--hook-budget', '8'],
      says: '--hook-budget="8" is refused: expected a Go duration from 4s to 10m such as 8s',
    },
    {
      argv: ['--hook-budget', '3s'],
      says: '--hook-budget="3s" is refused: expected a Go duration from 4s to 10m such as 8s',
    },
    {
      argv: ['--min-interval', '25h'],
      says: '--min-interval="25h" is refused: expected a Go duration from 1s to 24h such as 10s',
    },
    ...['0', '1.5', '1001', 'many'].map((rate) => ({
      argv: ['--route53-rate', rate],
      says: `--route53-rate="${rate}" is refused: expected an integer from 1 to 1000`,
    })),
    {
      argv: ['--route53-list-window', '61s'],
      says: '--route53-list-window="61s" is refused: expected a Go duration from 0s to 1m such as 5s',
    },
    ...['', 'http://prometheus', 'prometheus:9090', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0', 'a,,b', '*'].map(
      (list) => ({
        argv: [`--prometheus-allow=${list}`],
        says: `--prometheus-allow="${list}" is refused: expected hosts such as prometheus.monitoring.svc or *.example.com and networks such as 10.0.0.0/8`,
      }),
    ),
    {
      argv: ['--body-limit', '32MB'],
      says: '--body-limit="32MB" is refused: expected a size from 1KiB to 1GiB such as 8MiB',
    },
    {
      argv: ['--body-limit', '0'],
      says: '--body-limit="0" is refused: expected a size from 1KiB to 1GiB such as 8MiB',
    },
    {
      argv: ['--log-level', 'loud'],
      says: '--log-level="loud" is refused: expected one of debug, info, warn, error',
    },
    {
      argv: ['--observe-only=maybe'],
      says: '--observe-only="maybe" is refused: expected true or false',
    },
    {
      argv: ['--image-pull-policy', 'Always'],
      says: '--image-pull-policy="Always" is refused: expected one of always, if-not-present, never',
    },
    {
      argv: ['--balancerd-sql-port', '0'],
      says: '--balancerd-sql-port="0" is refused: expected a port from 1 to 65535',
    },
    {
      argv: ['--environmentd-http-port', '6876.0'],
      says: '--environmentd-http-port="6876.0" is refused: expected a port from 1 to 65535',
    },
    {
      argv: ['--balancerd-affinity', '{"a":'],
      says: '--balancerd-affinity="{"a":" is refused: expected a JSON object',
    },
    {
      argv: ['--balancerd-affinity', '[]'],
      says: '--balancerd-affinity="[]" is refused: expected a JSON object',
    },
    {
      argv: ['--balancerd-toleration', '{}', '--balancerd-toleration', '[1]'],
      says: '--balancerd-toleration="{} [1]" is refused: expected a JSON object or an array of them',
    },
    {
      argv: ['--balancerd-node-selector', 'disk'],
      says: '--balancerd-node-selector="disk" is refused: expected key=value, or several separated by commas',
    },
    {
      argv: ['--route53-endpoint', 'localhost:5000'],
      says: '--route53-endpoint="localhost:5000" is refused: expected an http(s) URL such as http://127.0.0.1:5000',
    },
    {
      argv: ['--scheduler-name='],
      says: '--scheduler-name="" is refused: expected a text that is not empty',
    },
    {
      argv: ['--max-concurrent-syncs', '0'],
      says: '--max-concurrent-syncs="0" is refused: expected an integer from 1 to 10000',
    },
    { argv: ['--tls-cert-file=/c'], says: '--tls-cert-file needs --tls-key-file beside it' },
    { argv: ['--tls-key-file=/k'], says: '--tls-key-file needs --tls-cert-file beside it' },
    {
      argv: ['--client-ca-file=/ca'],
      says: '--client-ca-file needs --tls-cert-file and --tls-key-file beside it',
    },
    {
      argv: ['--protect-metrics'],
      says: '--protect-metrics has nothing to ask for: give --auth-token-file, --basic-auth-file or --client-ca-file',
    },
    {
      argv: ['--log-level', `bad\n\u001b[31m${'x'.repeat(200)}`],
      says: `--log-level="bad [31m${'x'.repeat(71)}…" is refused: expected one of debug, info, warn, error`,
    },
  ];
  for (const { argv, env, says } of refused) {
    it(`refuse in one line: ${says.slice(0, 60)}`, () => assert.equal(refusalOf(argv, env), says));
  }
});

describe('the table of flags', () => {
  it('gives every flag a twin, a description that is a sentence, and a default that its own parser takes', () => {
    for (const row of flagRows()) {
      assert.match(row.env, /^COUNTERPOISE_[A-Z0-9_]+$/);
      assert.match(row.description, /^[A-Za-z].*\.$/, row.name);
      if (row.default !== undefined) settingsOf([`--${row.name}=${row.default}`]);
    }
  });
});
