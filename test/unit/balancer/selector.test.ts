import assert from 'node:assert/strict';
import type { DesiredObject } from '../../../src/kubernetes/objects.ts';
import { at } from '../../support/at.ts';
import { answer, applied, conditionOf, GENERATED_ID, ofKind, SMALLEST_SPEC } from '../../support/balancer.ts';

const wanted = answer({}).children;
const deployment = ofKind(wanted, 'Deployment');
const OWN = at(deployment, 'spec.selector.matchLabels') as Readonly<Record<string, string>>;

/** The Deployment as observed with another selector. */
function withSelector(selector: unknown): DesiredObject {
  return applied(deployment, { spec: { ...(deployment['spec'] as object), selector } });
}

/** What is answered to a Balancer whose Deployment has that selector, with an image that is to be rolled out. */
function answerTo(selector: unknown) {
  const spec = { ...SMALLEST_SPEC, balancerdImageRef: 'new' };
  return answer({ spec, children: [withSelector(selector)] });
}

const OLD_TWO = { 'materialize.cloud/name': `mz${GENERATED_ID}-balancerd`, app: 'balancerd' };
const [firstKey = '', secondKey = ''] = Object.keys(OWN);

describe('the selector of a Deployment that exists', () => {
  const kept: readonly (readonly [string, unknown, unknown])[] = [
    ['two labels of an older orchestratord', { matchLabels: OLD_TWO }, { matchLabels: OLD_TWO }],
    [
      'four labels and no expression',
      { matchLabels: { ...OWN, app: undefined }, matchExpressions: [] },
      { matchLabels: Object.fromEntries(Object.entries(OWN).filter(([key]) => key !== 'app')) },
    ],
  ];
  for (const [name, selector, answered] of kept) {
    it(`is kept when it is ${name}, and everything else is new`, () => {
      const response = answerTo(selector);
      const child = ofKind(response.children, 'Deployment');
      assert.deepEqual(at(child, 'spec.selector'), answered);
      assert.equal(at(child, 'spec.template.spec.containers.0.image'), 'new');
      assert.deepEqual(
        at(child, 'spec.template.metadata.labels'),
        at(deployment, 'spec.template.metadata.labels'),
      );
      const condition = conditionOf(response, 'SelectorDiffers');
      assert.deepEqual([condition?.status, condition?.reason], ['True', 'SelectorKept']);
    });
  }

  it('is named in the condition, in an order of its own', () => {
    assert.equal(
      conditionOf(answerTo({ matchLabels: OLD_TWO }), 'SelectorDiffers')?.message,
      `Deployment mz${GENERATED_ID}-balancerd keeps its selector, which is immutable (app, materialize.cloud/name); everything else is up to date`,
    );
  });

  const own: readonly (readonly [string, unknown])[] = [
    ['our six labels', { matchLabels: OWN }],
    ['our six labels and an empty list of expressions', { matchLabels: OWN, matchExpressions: [] }],
    ['absent, as in a body by curl', undefined],
    ['null', null],
    ['a text', 'app=balancerd'],
  ];
  for (const [name, selector] of own) {
    it(`is ours when it is ${name}`, () => {
      const response = answerTo(selector);
      assert.deepEqual(at(ofKind(response.children, 'Deployment'), 'spec.selector'), { matchLabels: OWN });
      assert.equal(conditionOf(response, 'SelectorDiffers'), undefined);
    });
  }

  const foreign: readonly (readonly [string, unknown])[] = [
    ['a label that our pods do not have', { matchLabels: { ...OWN, other: 'x' } }],
    ['another value', { matchLabels: { ...OWN, [firstKey]: 'x' } }],
    ['an expression', { matchLabels: OWN, matchExpressions: [{ key: secondKey, operator: 'Exists' }] }],
    ['expressions that are no list', { matchLabels: OWN, matchExpressions: {} }],
    ['labels that are no texts', { matchLabels: { app: 1 } }],
    ['a key that every object has', { matchLabels: { constructor: 'x' } }],
  ];
  for (const [name, selector] of foreign) {
    it(`has the Deployment held when it is ${name}`, () => {
      const response = answerTo(selector);
      const { metadata, ...held } = ofKind(response.children, 'Deployment');
      const { metadata: wantedMetadata, ...asApplied } = deployment;
      assert.deepEqual(held, asApplied);
      assert.equal(metadata.name, wantedMetadata.name);
      const condition = conditionOf(response, 'SelectorDiffers');
      assert.deepEqual(
        [condition?.status, condition?.reason, condition?.message],
        [
          'True',
          'SelectorForeign',
          `Deployment mz${GENERATED_ID}-balancerd selects pods by other labels than ours and is held as it is; to have it made anew: kubectl -n prod delete deployment mz${GENERATED_ID}-balancerd`,
        ],
      );
    });
  }

  it('is met by pod labels of the spec as well', () => {
    const spec = { ...SMALLEST_SPEC, podLabels: { other: 'x' } };
    const response = answer({ spec, children: [withSelector({ matchLabels: { other: 'x' } })] });
    assert.deepEqual(at(ofKind(response.children, 'Deployment'), 'spec.selector'), {
      matchLabels: { other: 'x' },
    });
  });
});
