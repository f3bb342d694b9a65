import assert from 'node:assert/strict';
import request from 'supertest';
import { createApp } from '../../src/app.ts';
import type { ObservedObject } from '../../src/kubernetes/objects.ts';
import { testDeps, testSettings } from '../support/deps.ts';
import { sameJson } from '../support/json.ts';
import { applyUpdate } from '../support/metacontroller/merge.ts';
import { decodeAnswer, type HookAnswer } from '../support/metacontroller/webhook.ts';
import { recordedExchanges, type Exchange } from '../support/recorded.ts';

const settings = testSettings(
  '--verify-parent=false',
  '--balancerd-default-resources={"limits":{"memory":"256Mi"},"requests":{"cpu":"500m","memory":"256Mi"}}',
);

/** What our hook answers to a recorded request, as a strict Metacontroller reads it. */
async function ask({ path, body }: Exchange): Promise<HookAnswer> {
  const response = await request(createApp(testDeps({ settings })))
    .post(path)
    .send(body);
  assert.equal(response.status, 200, response.text);
  const answer = decodeAnswer(response.text, 'strict');
  assert.ok(answer.ok, answer.ok ? '' : answer.error);
  return answer.value;
}

function childrenOf({ body }: Exchange): readonly ObservedObject[] {
  return Object.values(body.children).flatMap((byName) => Object.values(byName));
}

describe('The hooks, asked as a real Metacontroller asked', () => {
  for (const exchange of recordedExchanges()) {
    it(`${exchange.name}: answer 200, in a form that strict decoding takes`, async () => {
      const answer = await ask(exchange);
      assert.ok(Array.isArray(answer.status['conditions']));
    });

    if (!exchange.path.startsWith('/balancer') || childrenOf(exchange).length === 0) continue;
    it(`${exchange.name}: lose no child, and change no more than the recorded answer did`, async () => {
      const { children } = await ask(exchange);
      for (const observed of childrenOf(exchange)) {
        const isIt = ({ kind, metadata }: ObservedObject): boolean =>
          kind === observed.kind && metadata.name === observed.metadata.name;
        const [ours, recorded] = [children, exchange.answer['children'] as readonly ObservedObject[]].map(
          (answered) => {
            const child = answered.find(isIt);
            assert.ok(child, `${observed.kind} is missing`);
            return applyUpdate(observed, withUid(child, exchange.body.parent.metadata.uid));
          },
        );
        assert.ok(sameJson(ours, recorded), `${observed.kind} ${JSON.stringify([ours, recorded], null, 1)}`);
      }
    });
  }
});

/** A child with the label that Metacontroller gives it. */
function withUid(child: ObservedObject, uid = ''): ObservedObject {
  const labels = { 'controller-uid': uid, ...child.metadata.labels };
  return { ...child, metadata: { ...child.metadata, labels } };
}
