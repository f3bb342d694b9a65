import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startDeadline } from '../../src/foundation/deadline.ts';
import { syncBalancer } from '../../src/hooks/balancer.ts';
import { parseSyncRequest, type SyncResponse } from '../../src/kubernetes/metacontroller.ts';
import { at, listAt } from '../support/at.ts';
import { testDeps, testSettings } from '../support/deps.ts';

const RECORDED = join(import.meta.dirname, '../fixtures/recorded');

/** The settings under which the recording's answers were accepted by the API server and caused no further write. */
const SETTINGS = testSettings(
  '--balancerd-default-resources={"limits":{"memory":"256Mi"},"requests":{"cpu":"500m","memory":"256Mi"}}',
);

/** What the recorded hook drew at random: status has it from the second exchange on. */
const RESOURCE_ID = 'abc0123456';

interface Exchange {
  readonly request: { readonly body: { readonly parent: { readonly status?: object } } };
  readonly response: { readonly body: SyncResponse };
}

async function replay(
  file: string,
): Promise<{ readonly recorded: SyncResponse; readonly ours: SyncResponse }> {
  const { request, response } = JSON.parse(readFileSync(join(RECORDED, file), 'utf8')) as Exchange;
  const { parent, ...rest } = request.body;
  const status = { resourceId: RESOURCE_ID, ...parent.status };
  const parsed = parseSyncRequest({ ...rest, parent: { ...parent, status } });
  assert.ok(parsed.ok);
  const deps = testDeps({ settings: SETTINGS });
  const answered = await syncBalancer(parsed.value, {
    deps,
    nowMs: deps.clock.nowMs(),
    deadline: startDeadline(8_000),
  });
  assert.ok(answered.kind === 'Answered');
  return { recorded: response.body, ours: answered.response };
}

/** Exchange, Ready, SpecValid's reason, ChildrenObserved's reason. */
const EXCHANGES = [
  ['01-balancer-first-sync-no-children.json', 'False', 'SpecAccepted', 'Creating'],
  ['03-balancer-children-created.json', 'False', 'SpecAccepted', 'AllObserved'],
  ['05-balancer-ready.json', 'True', 'SpecAccepted', 'AllObserved'],
  ['07-balancer-image-changed.json', 'False', 'SpecAccepted', 'AllObserved'],
  ['08-balancer-invalid-spec-held.json', 'True', 'MultipleRoutings', 'SpecInvalid'],
  ['09-balancer-service-deleted-by-hand.json', 'True', 'SpecAccepted', 'Creating'],
] as const;

describe('an exchange recorded with a real Metacontroller', () => {
  for (const [file, ready, spec, children] of EXCHANGES) {
    it(`is answered with the recorded children: ${file}`, async () => {
      const { recorded, ours } = await replay(file);
      assert.deepEqual(ours.children, recorded.children);
      assert.equal(at(ours, 'status.resourceId'), RESOURCE_ID);
      assert.deepEqual(
        listAt(ours, 'status.conditions').map((condition) => [
          at(condition, 'type'),
          at(condition, 'reason'),
        ]),
        [
          ['Ready', 'DeploymentStatus'],
          ['SpecValid', spec],
          ['ChildrenObserved', children],
        ],
      );
      // Ready as a whole: status, reason, message, and the time that a real status carried, kept.
      assert.equal(at(ours, 'status.conditions.0.status'), ready);
      if (file !== EXCHANGES[0][0])
        assert.deepEqual(at(ours, 'status.conditions.0'), at(recorded, 'status.conditions.0'));
    });
  }
});
