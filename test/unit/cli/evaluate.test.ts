import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { evaluate, isChangeDue } from '../../../src/cli/evaluate/evaluate.ts';
import { tellEvaluation } from '../../../src/cli/evaluate/tell.ts';
import { startDeadline } from '../../../src/foundation/deadline.ts';
import { err } from '../../../src/foundation/result.ts';
import { readRebalance } from '../../../src/hooks/rebalance-object.ts';
import { posted, rebalanceWorld, value, type RebalanceWorld } from '../../support/rebalance-world.ts';
import { NOON, severalTarget, wireSpec } from '../../support/rebalance.ts';

async function evaluateIn(world: RebalanceWorld, spec: unknown = wireSpec(), status?: unknown) {
  const { deps } = world;
  const { metadata } = posted();
  const parent = { metadata: { ...metadata, namespace: 'default', uid: 'u-1', generation: 1 }, spec, status };
  const object = readRebalance(parent, deps.settings.rebalance);
  return evaluate(object, { deps, nowMs: NOON, deadline: startDeadline(8_000) });
}

describe('evaluate', () => {
  it('decides as the hook does, and writes nothing', async () => {
    const world = rebalanceWorld();
    const evaluation = await evaluateIn(world);
    assert.ok(evaluation.ok);
    assert.equal(evaluation.value.decision.desired, 16);
    assert.equal(isChangeDue(evaluation.value), true);
    assert.deepEqual(
      [world.calls, world.weights],
      [
        ['metric', 'set'],
        [1, 8],
      ],
    );
    const { status } = await world.settle();
    assert.equal(status.decision?.because, evaluation.value.decision.because);
  });

  it('finds no change due where the weight is right, and one where only a dry run keeps it', async () => {
    const world = rebalanceWorld();
    world.weights = [16, 8];
    const right = await evaluateIn(world);
    assert.ok(right.ok);
    assert.equal(isChangeDue(right.value), false);
    world.reading = value('1500');
    const dry = await evaluateIn(world, wireSpec({}, { dryRun: true }));
    assert.ok(dry.ok);
    assert.equal(isChangeDue(dry.value), true);
  });

  it("remembers what the file's status does", async () => {
    const world = rebalanceWorld();
    await world.settle();
    world.reading = value('2500');
    const evaluation = await evaluateIn(world, wireSpec({ tolerance: 0.5 }), world.live?.status);
    assert.ok(evaluation.ok);
    assert.equal(evaluation.value.decision.reason, 'WithinTolerance');
  });

  it('tells it stage by stage, as a table', async () => {
    const evaluation = await evaluateIn(rebalanceWorld(), wireSpec({ maximum: 10 }));
    assert.ok(evaluation.ok);
    assert.equal(
      tellEvaluation(evaluation.value, 'table'),
      `metric   3000
record   aws: weight 1
record   onprem: weight 8
change   1 -> 10
reason   AtMaximum
because  metric 3000 against target 1000 and base 8 asks for 16; the maximum lowers it to 10
advice   ${adviceOf(tellEvaluation(evaluation.value, 'table'))}

STAGE      VALUE
raw        16
tolerance  16
round      16
scaleIn    16
bounds     10     changed the outcome
set        10
write      10
`,
    );
  });

  it('tells what others did to the weight, and that it is contested', async () => {
    const world = rebalanceWorld();
    const { status: left } = await world.settle();
    const told = async (weight: number, status = left): Promise<string> => {
      world.weights = [weight, 8];
      const evaluation = await evaluateIn(world, wireSpec(), status);
      assert.ok(evaluation.ok);
      const table = tellEvaluation(evaluation.value, 'table');
      const json = JSON.parse(tellEvaluation(evaluation.value, 'json')) as Readonly<Record<string, unknown>>;
      assert.equal(json['contested'] !== undefined, /^contested /m.test(table));
      return table;
    };
    assert.doesNotMatch(await told(16), /^(edit|contested) /m);
    const edit = /^edit +DNS held weight 5 where we had left 16: somebody else changed it$/m;
    assert.match(await told(5), edit);
    assert.doesNotMatch(await told(5), /^contested /m);
    const third = await told(5, { ...left, contest: { editsAgo: [4, 1] } });
    assert.match(third, edit);
    assert.match(
      third,
      /^change +5 -> 16\n(?:.*\n)?contested +others changed our weight three times in ten/m,
    );
    const later = await told(16, { ...left, contest: { contestedGeneration: 1 } });
    assert.match(later, /^contested +others changed our weight .* so nothing is written;/m);
    assert.doesNotMatch(later, /^edit /m);
  });

  describe('of several records', () => {
    const spec = wireSpec({}, { target: severalTarget([3, 1]) });
    const several = async (...weights: readonly number[]) => {
      const evaluation = await evaluateIn(Object.assign(rebalanceWorld(), { weights, owned: 2 }), spec);
      assert.ok(evaluation.ok);
      return evaluation.value;
    };

    it('tells each, and what each would have', async () => {
      const told = tellEvaluation(await several(1, 0, 8), 'table');
      assert.match(told, /^record +blue: weight 1\nrecord +green: weight 0\nrecord +onprem: weight 8$/m);
      assert.match(told, /^change +1 \(blue 1, green 0\) -> 16 \(blue 12, green 4\)$/m);
    });

    it('finds a change due where only the split differs, and none where it does not', async () => {
      const differs = await several(8, 8, 8);
      assert.equal(isChangeDue(differs), true);
      assert.deepEqual((JSON.parse(tellEvaluation(differs, 'json')) as { resources: unknown }).resources, [
        { identifier: 'blue', actualValue: 8, desiredValue: 12 },
        { identifier: 'green', actualValue: 8, desiredValue: 4 },
      ]);
      const right = await several(12, 4, 8);
      assert.equal(isChangeDue(right), false);
      assert.match(tellEvaluation(right, 'table'), /^change +none, 16 \(blue 12, green 4\) stays$/m);
    });
  });

  it('tells the same as YAML and as JSON', async () => {
    const world = rebalanceWorld();
    world.reading = err({ reason: 'MetricTimeout', message: 'too slow' });
    const evaluation = await evaluateIn(world);
    assert.ok(evaluation.ok);
    const json = JSON.parse(tellEvaluation(evaluation.value, 'json')) as Record<string, unknown>;
    assert.deepEqual(parse(tellEvaluation(evaluation.value, 'yaml')), json);
    assert.deepEqual(json['metric'], { query: 'scalar(load)', reason: 'MetricTimeout', message: 'too slow' });
    assert.deepEqual([json['changeDue'], json['actualValue'], json['desiredValue']], [false, 1, 1]);
  });

  it('explains each metric and each guard', async () => {
    const query = (text: string) => ({ address: 'http://prometheus:9090', query: text });
    const world = rebalanceWorld();
    const failure = { reason: 'MetricTimeout', message: 'too slow' } as const;
    world.readings = { queue: value('500'), cpu: err(failure), errors: value('-0.5'), fresh: value('30') };
    const spec = wireSpec(
      {},
      {
        additionalMetrics: [
          { name: 'queue', targetValue: 100, prometheus: query('queue') },
          { name: 'cpu', targetValue: 0.5, prometheus: query('cpu') },
        ],
        guards: [
          { name: 'errors', stops: 'Increase', prometheus: query('errors') },
          { name: 'fresh', stops: 'Both', prometheus: query('fresh') },
        ],
      },
    );
    const evaluation = await evaluateIn(world, spec);
    assert.ok(evaluation.ok);
    assert.equal(
      tellEvaluation(evaluation.value, 'table').split('reason')[0],
      `metric        3000, asks for 16
metric queue  500, asks for 32
metric cpu    metric "cpu": too slow
guard errors  -0.5, stops Increase
guard fresh   30
record        aws: weight 1
record        onprem: weight 8
change        none, 1 stays
`,
    );
    const data = JSON.parse(tellEvaluation(evaluation.value, 'json')) as Record<string, unknown>;
    assert.deepEqual(data['asks'], 16);
    assert.deepEqual(data['additionalMetrics'], [
      { name: 'queue', query: 'queue', value: '500', asks: 32 },
      { name: 'cpu', query: 'cpu', reason: 'MetricTimeout', message: 'metric "cpu": too slow' },
    ]);
    assert.deepEqual(data['guards'], [
      { name: 'errors', query: 'errors', value: '-0.5', stops: 'Increase' },
      { name: 'fresh', query: 'fresh', value: '30', stops: 'nothing' },
    ]);
  });

  it('is an error with a bad spec, and with records that cannot be read', async () => {
    const world = rebalanceWorld();
    assert.deepEqual(await evaluateIn(world, {}), {
      ok: false,
      error: 'spec.policy: is required; spec.target: is required; spec.metrics: is required',
    });
    world.setFailure = { reason: 'AccessDenied', message: 'may not list', outcomeUnknown: false };
    assert.deepEqual(await evaluateIn(world), { ok: false, error: 'may not list' });
  });

  it('is an error where a Secret is named and no Kubernetes API is at hand', async () => {
    const world = rebalanceWorld();
    world.reading = err({ reason: 'SecretUnavailable', message: 'Secret default/a cannot be read: no API' });
    assert.equal((await evaluateIn(world)).ok, true, 'with one, the metric has failed');
    const { deps } = world;
    const withoutApi = { ...world, deps: { ...deps, kubernetes: undefined } };
    assert.deepEqual(await evaluateIn(withoutApi), {
      ok: false,
      error: 'Secret default/a cannot be read: no API; --kubeconfig says where Secrets are read',
    });
  });
});

function adviceOf(table: string): string {
  return /^advice {3}(.*)$/m.exec(table)?.[1] ?? 'none';
}
