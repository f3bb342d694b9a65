import assert from 'node:assert/strict';
import request from 'supertest';
import { createApp } from '../../src/app.ts';
import { createRoute53Store } from '../../src/rebalance/targets/route53.ts';
import type { RebalanceStatus } from '../../src/rebalance/status.ts';
import { isolateAwsEnvironment, setAwsEnvironment } from '../support/aws-environment.ts';
import { conditionOf } from '../support/conditions.ts';
import { MINUTE, wireSpec } from '../support/rebalance.ts';
import { posted, rebalanceWorld, type RebalanceWorld } from '../support/rebalance-world.ts';
import { startRelay, type Relay } from '../support/relay.ts';
import { startRoute53StandIn, type Route53StandIn } from '../support/route53-stand-in.ts';
import { weightedRecord } from '../support/weighted-record.ts';

const ZONE = 'Z0123456789';
const OWN = { ...weightedRecord('example.com', 'aws', 1) };

function spec(write: string): unknown {
  const resource = { name: 'example.com', type: 'A', identifier: 'aws' };
  return wireSpec({}, { target: { route53: { hostedZoneID: ZONE, resource, write } } });
}

describe('a record that somebody changes between our read and our write', () => {
  let route53: Route53StandIn;
  let relay: Relay;
  let world: RebalanceWorld;
  let app: ReturnType<typeof createApp>;

  isolateAwsEnvironment();
  beforeEach(async () => {
    setAwsEnvironment({ AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI' });
    route53 = await startRoute53StandIn();
    route53.createZone(ZONE, 'example.com');
    route53.putRecord(ZONE, OWN);
    route53.putRecord(ZONE, { ...weightedRecord('example.com', 'onprem', 8) });
    relay = await startRelay(route53.url);
    world = rebalanceWorld();
    app = createApp({ ...world.deps, targetStore: createRoute53Store({ endpoint: relay.url }) });
  });
  afterEach(() => Promise.all([relay.stop(), route53.stop()]));

  /** A sync whose status is kept, as Metacontroller does; while its change is on its way `meanwhile` happens. */
  async function settle(write: string, meanwhile?: () => void): Promise<RebalanceStatus> {
    world.live = posted(spec(write), world.live?.status);
    const answering = request(app)
      .post('/rebalance/sync')
      .send({ controller: {}, parent: world.live, children: {}, related: {}, finalizing: false })
      .then(({ body }) => (body as { readonly status: RebalanceStatus }).status);
    if (meanwhile !== undefined) {
      const held = await relay.hold('half-asked', ({ body }) => body.includes('ChangeBatch'));
      meanwhile();
      held.pass();
    }
    const status = await answering;
    world.live = posted(spec(write), { ...status, observedGeneration: 1 });
    world.nowMs += MINUTE;
    return status;
  }

  const own = () => route53.record(ZONE, 'example.com', 'A', 'aws');
  const syncedOf = (status: RebalanceStatus) => conditionOf(status, 'TargetSynced');

  const edits = {
    weight: { ...OWN, Name: 'example.com.', Weight: 5 },
    TTL: { ...OWN, Name: 'example.com.', TTL: 300 },
    value: { ...OWN, Name: 'example.com.', ResourceRecords: [{ Value: '192.0.2.9' }] },
  };
  for (const [field, edited] of Object.entries(edits)) {
    it(`keeps its new ${field} with write: CompareAndSwap, which says so, and writes at its next attempt`, async () => {
      const lost = await settle('CompareAndSwap', () => route53.putRecord(ZONE, edited));
      assert.deepEqual(own(), edited);
      assert.deepEqual(
        [lost.condition, syncedOf(lost).reason, syncedOf(lost).message],
        [
          'Error',
          'ChangedMeanwhile',
          'spec.target.route53.resource: somebody changed the record since it was read, so nothing was written (write: CompareAndSwap); read anew at the next attempt',
        ],
      );
      assert.equal((await settle('CompareAndSwap')).actualValue, 16);
      assert.deepEqual(own(), { ...edited, Weight: 16 });
      assert.deepEqual(
        world.events.map(({ reason }) => reason),
        ['ChangedMeanwhile', ...(field === 'weight' ? ['WeightEdited'] : []), 'WeightChanged', 'Recovered'],
      );
    });
  }

  it('is not told to be changed by somebody where our own write, whose answer was lost, is what we meet', async () => {
    route53.fail('ChangeResourceRecordSets', { kind: 'AnswerLost' });
    const doubted = await settle('CompareAndSwap');
    assert.equal(own()?.Weight, 16);
    assert.deepEqual(
      [syncedOf(doubted).status, syncedOf(doubted).reason],
      ['Unknown', 'TargetUnreachable'],
      syncedOf(doubted).message,
    );
    const { actualValue, contest } = await settle('CompareAndSwap');
    assert.deepEqual([actualValue, contest], [16, undefined]);
  });

  it('is overwritten with write: Upsert', async () => {
    const { actualValue } = await settle('Upsert', () => route53.putRecord(ZONE, edits.TTL));
    assert.equal(actualValue, 16);
    assert.deepEqual([own()?.TTL, own()?.Weight], [60, 16]);
  });
});
