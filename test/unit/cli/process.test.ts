import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { parse, stringify } from 'yaml';
import { COMMANDS, createProgram } from '../../../src/cli/program.ts';
import { runCli, type Ended, type Line } from '../../support/cli.ts';
import { freePorts } from '../../support/ports.ts';
import { runProcess } from '../../support/process.ts';
import { scalar, startPrometheusStandIn, type PrometheusStandIn } from '../../support/prometheus-stand-in.ts';
import { wireSpec } from '../../support/rebalance.ts';
import { startRoute53StandIn, type Route53StandIn } from '../../support/route53-stand-in.ts';
import { weightedRecord } from '../../support/weighted-record.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const BALANCER = join(ROOT, 'metacontroller/samples/balancer.yaml');
const LOAD = join(ROOT, 'docs/backtest/load.yaml');
const DEMAND = join(ROOT, 'docs/backtest/demand.yaml');
const DAY = join(ROOT, 'docs/backtest/day.csv');
const KEYS = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };

/** A line, how it ends, and what it leaves on each stream: a text that is all of it, or what must be found in it. */
interface Row extends Line {
  readonly name: string;
  readonly code: number;
  readonly stdout: string | RegExp;
  readonly stderr: string | RegExp;
}

const rows: readonly Row[] = [
  {
    name: '--version prints the version alone',
    args: ['--version'],
    code: 0,
    stdout: /^\d+\.\d+\.\d+\n$/,
    stderr: '',
  },
  {
    name: 'render prints YAML; what a person should know stands on standard error',
    args: ['render', '-f', BALANCER],
    code: 0,
    stdout: /^apiVersion: apps\/v1\nkind: Deployment\n[^]*\n---\napiVersion: v1\nkind: Service\n/,
    stderr: /^metadata\.uid: missing, so the names are not those of a cluster; [^\n]*\n$/,
  },
  {
    name: 'render -o json takes standard input',
    args: ['render', '-f', '-', '-o', 'json'],
    input: readFileSync(BALANCER, 'utf8'),
    code: 0,
    stdout: /^\{\n {2}"apiVersion": "v1",\n {2}"kind": "List",/,
    stderr: /^metadata\.uid: /,
  },
  {
    name: 'render -o table lists the children',
    args: ['render', '-f', BALANCER, '-o', 'table'],
    code: 0,
    stdout: /^APIVERSION +KIND +NAME\napps\/v1 +Deployment +mz\w+-balancerd\n/,
    stderr: /^metadata\.uid: /,
  },
  {
    name: 'render of a bad spec names the field, and prints no child',
    args: ['render', '-f', '-'],
    input:
      'apiVersion: materialize.cloud/v1alpha1\nkind: Balancer\nmetadata: {name: a}\nspec: {replicas: -1}\n',
    code: 1,
    stdout: '',
    stderr: /^spec\.balancerdImageRef: /,
  },
  {
    name: 'a missing file is one line',
    args: ['render', '-f', 'nope.yaml'],
    code: 1,
    stdout: '',
    stderr: 'counterpoise render: --filename nope.yaml: there is no such file\n',
  },
  {
    name: 'bad YAML is one line',
    args: ['simulate', '-f', '-'],
    input: 'spec: [1',
    code: 1,
    stdout: '',
    stderr: /^counterpoise simulate: --filename -: not YAML: [^\n]*\n$/,
  },
  {
    name: 'two objects in a file are one line',
    args: ['backtest', '-f', '-', '--file', DAY],
    input: `${readFileSync(LOAD, 'utf8')}\n---\n${readFileSync(DEMAND, 'utf8')}`,
    code: 1,
    stdout: '',
    stderr: 'counterpoise backtest: --filename -: expected one Rebalance, found several\n',
  },
  {
    name: 'a bad spec is one line with the field',
    args: ['simulate', '-f', '-'],
    input: stringify({
      apiVersion: 'rebalancer.ch1aki.github.io/v1',
      kind: 'Rebalance',
      metadata: { name: 'a' },
      spec: wireSpec({ targetValue: 0 }),
    }),
    code: 1,
    stdout: '',
    stderr: /^counterpoise simulate: --filename -: spec\.policy\.targettracking\.targetValue: [^\n]*\n$/,
  },
  {
    name: 'simulate tells each change of the weight, and a summary',
    args: ['simulate', '--intervals', '80'],
    code: 0,
    stdout: /^defaults\nTIME +METRIC +LOAD +WEIGHT +REASON +BECAUSE\n[^]*\nSUMMARY +defaults\n/,
    stderr: '',
  },
  {
    name: 'simulate --compare -o yaml tells both',
    args: ['simulate', '-f', LOAD, '--compare', DEMAND, '-o', 'yaml', '--intervals', '60'],
    code: 0,
    stdout: /^title: Simulation of load\.yaml\n[^]*\n {2}- name: demand\.yaml\n/,
    stderr: '',
  },
  {
    name: 'backtest --compare -o csv has every moment of both',
    args: [
      'backtest',
      '-f',
      LOAD,
      '--compare',
      DEMAND,
      '--file',
      DAY,
      '--reference-weight',
      '64',
      '-o',
      'csv',
    ],
    code: 0,
    stdout: /^run,time,metric,load,weight,reason,because\nload\.yaml,[^]*\ndemand\.yaml,/,
    stderr: '',
  },
  {
    name: 'backtest -o json is JSON',
    args: ['backtest', '-f', DEMAND, '--file', '-', '-o', 'json'],
    input: 'time,value\n1772409600,1000\n1772409660,3000\n',
    code: 0,
    stdout: /^\{\n {2}"title": "Backtest of demand\.yaml",/,
    stderr: '',
  },
  {
    name: 'backtest of signal load is refused without the weights that were published',
    args: ['backtest', '-f', LOAD, '--file', '-', '--reference-weight', '64'],
    input: 'time,value\n1772409600,1000\n',
    code: 1,
    stdout: '',
    stderr:
      'counterpoise backtest: --weights: signal load answered to the weights published then; expected a file of them, or a column weight in --file\n',
  },
  {
    name: 'backtest without a source of the metric is refused',
    args: ['backtest', '-f', DEMAND],
    code: 1,
    stdout: '',
    stderr:
      'counterpoise backtest: --file or --prometheus: expected one of them, as the source of the metric\n',
  },
  {
    name: 'backtest of a time that is none is refused',
    args: ['backtest', '-f', DEMAND, '--prometheus', 'http://127.0.0.1:1', '--from', 'yesterday'],
    code: 1,
    stdout: '',
    stderr:
      'counterpoise backtest: --from "yesterday": expected an RFC 3339 time, Unix seconds, now, or a duration ago such as 168h\n',
  },
  {
    name: 'backtest of a range that ends before it begins is refused',
    args: ['backtest', '-f', DEMAND, '--prometheus', 'http://127.0.0.1:1', '--from', '1h', '--to', '2h'],
    code: 1,
    stdout: '',
    stderr: 'counterpoise backtest: --from: expected a time before --to\n',
  },
  {
    name: 'backtest of a Prometheus that is not there says so',
    args: ['backtest', '-f', DEMAND, '--prometheus', 'http://127.0.0.1:1'],
    code: 1,
    stdout: '',
    stderr: /^counterpoise backtest: [^\n]*127\.0\.0\.1:1[^\n]*\n$/,
  },
  {
    name: 'an output that cannot be written is one line',
    args: ['simulate', '--intervals', '2', '--out', '/nowhere/simulation.html', '-o', 'html'],
    code: 1,
    stdout: '',
    stderr: 'counterpoise simulate: --out /nowhere/simulation.html: it cannot be written (ENOENT)\n',
  },
  {
    name: 'an option that is missing is one line',
    args: ['evaluate'],
    code: 1,
    stdout: '',
    stderr: "counterpoise evaluate: required option '-f, --filename <file>' not specified\n",
  },
  {
    name: 'a value that is none is one line with what was expected',
    args: ['simulate', '--ttl', 'x'],
    code: 1,
    stdout: '',
    stderr:
      "counterpoise simulate: option '--ttl <s>' argument 'x' is invalid. Expected an integer from 0 to 86400.\n",
  },
  {
    name: 'a command that is none is one line',
    args: ['backtset'],
    code: 1,
    stdout: '',
    stderr: /^counterpoise serve: "backtset" is no command, which counterpoise help lists; [^\n]*\n$/,
  },
  {
    name: '--help goes to standard output, with exit codes and examples',
    args: ['evaluate', '--help'],
    code: 0,
    stdout:
      /Exit code: 0 no change is due, 2 a change is due, 1 an error\.\n\nExamples:\n {2}counterpoise evaluate -f/,
    stderr: '',
  },
];

function assertStream(actual: string, expected: string | RegExp, what: string): void {
  if (typeof expected === 'string') assert.equal(actual, expected, what);
  else assert.match(actual, expected, what);
}

describe('a line of counterpoise, as a process', function () {
  this.timeout(300_000); // a start takes seconds on a busy machine

  const ended = new Map<string, Ended>();
  before(async () => {
    const start = pLimit(availableParallelism());
    await Promise.all(rows.map((row) => start(async () => ended.set(row.name, await runCli(row)))));
  });

  for (const { name, code, stdout, stderr } of rows)
    it(name, () => {
      const end = ended.get(name);
      assert.ok(end !== undefined);
      assertStream(end.stderr, stderr, 'standard error');
      assertStream(end.stdout, stdout, 'standard output');
      assert.equal(end.code, code);
    });

  it('that is read no further ends in silence', async () => {
    const line = '"$0" src/main.ts simulate -o csv --intervals 2000 | head -n 1';
    const args = ['-c', `set -o pipefail; ${line} 2>&1`, process.execPath];
    const head = await runProcess({ name: 'bash', command: 'bash', args, directory: ROOT });
    assert.equal(head, 'run,time,metric,load,weight,reason,because\n');
  });
});

describe('every command', () => {
  for (const { help } of COMMANDS)
    it(`has examples that it understands: ${help.examples[0] ?? ''}`, () => {
      for (const example of help.examples) {
        const called = /(?:counterpoise (?<name>\S+)|npm start(?: --)?)(?<given>[^|#]*)/.exec(
          example,
        )?.groups;
        assert.ok(called !== undefined, example);
        const { name = 'serve', given = '' } = called;
        const command = createProgram().commands.find((each) => each.name() === name);
        assert.ok(command !== undefined, example);
        const { operands, unknown } = command.parseOptions(given.split(/ +/).filter((word) => word !== ''));
        assert.deepEqual({ operands, unknown }, { operands: [], unknown: [] }, example);
      }
    });
});

describe('evaluate, as a process', function () {
  this.timeout(300_000);

  let prometheus: PrometheusStandIn;
  let route53: Route53StandIn;
  let directory = '';
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'counterpoise-evaluate-'));
    prometheus = await startPrometheusStandIn();
    prometheus.setDefault(scalar(3000));
    route53 = await startRoute53StandIn();
    route53.createZone('Z0123456789', 'example.com');
    route53.putRecord('Z0123456789', { ...weightedRecord('example.com.', 'aws', 1) });
    route53.putRecord('Z0123456789', { ...weightedRecord('example.com.', 'onprem', 8) });
  });
  after(async () => {
    await prometheus.stop();
    await route53.stop();
    rmSync(directory, { recursive: true });
  });

  function evaluateAt(address: string, endpoint: string, ...args: readonly string[]): Promise<Ended> {
    const file = join(directory, 'rebalance.yaml');
    const spec = wireSpec({}, { metrics: { prometheus: { address, query: 'scalar(load)', timeout: 3 } } });
    const metadata = { name: 'a' };
    const object = { apiVersion: 'rebalancer.ch1aki.github.io/v1', kind: 'Rebalance', metadata, spec };
    writeFileSync(file, stringify(object));
    return runCli({ args: ['evaluate', '-f', file, '--route53-endpoint', endpoint, ...args], env: KEYS });
  }

  it('tells a change that is due stage by stage, exits 2, and writes nothing', async () => {
    const end = await evaluateAt(prometheus.url, route53.url);
    assert.deepEqual([end.code, end.stderr], [2, '']);
    assert.match(end.stdout, /^change +1 -> 16$/m);
    assert.match(end.stdout, /^raw +16$/m);
    assert.equal(route53.count('ChangeResourceRecordSets'), 0);
  });

  for (const output of ['json', 'yaml'])
    it(`tells the same as ${output}`, async () => {
      const end = await evaluateAt(prometheus.url, route53.url, '-o', output);
      const told = parse(end.stdout) as { readonly changeDue: boolean; readonly desiredValue: number };
      assert.deepEqual([end.code, told.changeDue, told.desiredValue], [2, true, 16]);
    });

  it('of a Prometheus that is not there tells that the weight is held, which is no error', async () => {
    const [port = 0] = await freePorts(1);
    const end = await evaluateAt(`http://127.0.0.1:${port}`, route53.url);
    assert.deepEqual([end.code, end.stderr], [0, '']);
    assert.match(end.stdout, /^change +none, 1 stays$/m);
    assert.match(end.stdout, /^reason +HeldOnFailure$/m);
  });

  it('of records that cannot be read is one line', async () => {
    route53.fail('Any', { kind: 'Error', httpStatus: 403, code: 'AccessDenied', message: 'no' });
    const end = await evaluateAt(prometheus.url, route53.url);
    route53.heal();
    assert.deepEqual([end.code, end.stdout], [1, '']);
    assert.match(
      end.stderr,
      /^counterpoise evaluate: --filename \S+: [^\n]*ListResourceRecordSets is not allowed[^\n]*\n$/,
    );
  });
});
