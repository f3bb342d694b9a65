import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { createApp } from '../../../src/app.ts';
import { objectSchema } from '../../../src/cli/reference/crd.ts';
import { BALANCER, REBALANCE } from '../../../src/cli/reference/resources.ts';
import type { Schema } from '../../../src/cli/reference/schema.ts';
import { listAt, textAt } from '../../support/at.ts';
import { testDeps, testSettings } from '../../support/deps.ts';
import { parseObjects, ROOT, type Manifest } from '../../support/kustomize.ts';

const SAMPLES = join(ROOT, 'metacontroller/samples');
const HOOKS: Readonly<Record<string, string>> = { Balancer: '/balancer/sync', Rebalance: '/rebalance/sync' };

interface Sample {
  readonly file: string;
  readonly text: string;
  readonly object: Manifest;
}

function readSamples(directory: string): readonly Sample[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
    .flatMap((file) => {
      const text = readFileSync(join(directory, file), 'utf8');
      const objects = parseObjects(text).filter((object) => object.kind in HOOKS);
      return objects.map((object) => ({ file, text, object }));
    });
}

const app = createApp(testDeps({ settings: testSettings('--verify-parent=false') }));

/** What the hook says of a sample, by condition: "reason: message". */
async function conditionsOf({ object }: Sample): Promise<Readonly<Record<string, string>>> {
  const metadata = { ...object.metadata, namespace: 'default', uid: 'u-1', generation: 1 };
  const response = await request(app)
    .post(HOOKS[object.kind] ?? '')
    .send({ parent: { ...object, metadata } })
    .expect(200);
  return Object.fromEntries(
    listAt(response.body, 'status.conditions').map((condition) => [
      `${textAt(condition, 'type')}=${textAt(condition, 'status')}`,
      textAt(condition, 'message'),
    ]),
  );
}

describe('a sample', () => {
  for (const sample of readSamples(SAMPLES))
    it(`${sample.file} is understood, every field of it`, async () => {
      const conditions = await conditionsOf(sample);
      assert.ok('SpecValid=True' in conditions, conditions['SpecValid=False']);
      assert.equal(conditions['UnknownFields=True'], undefined);
      assert.match(sample.text, /^# /, 'it begins with what it is for');
    });
});

/** The words after `# refused:` in the first line: the API server and the hook both use them. */
function expectedWords({ text }: Sample): string {
  return /^# refused: (.+)\n/.exec(text)?.[1] ?? 'the first line must be "# refused: <words>"';
}

/** The messages of every CEL rule of a schema. */
function ruleMessages(schema: Schema): readonly string[] {
  return [
    ...(schema['x-kubernetes-validations'] ?? []).map(({ message }) => message),
    ...Object.values(schema.properties ?? {}).flatMap(ruleMessages),
    ...(schema.items === undefined ? [] : ruleMessages(schema.items)),
    ...(schema.additionalProperties === undefined ? [] : ruleMessages(schema.additionalProperties)),
  ];
}

describe('an invalid sample', () => {
  const samples = readSamples(join(SAMPLES, 'invalid'));

  for (const sample of samples)
    it(`${sample.file} is refused by the hook: ${expectedWords(sample)}`, async () => {
      const { 'SpecValid=False': message = 'it is accepted' } = await conditionsOf(sample);
      assert.ok(message.includes(expectedWords(sample)), message);
    });

  for (const resource of [BALANCER, REBALANCE])
    it(`exists for every rule of the CRD of ${resource.kind}, in the words of the rule`, () => {
      const words = samples.filter(({ object }) => object.kind === resource.kind).map(expectedWords);
      assert.deepEqual(new Set(words), new Set(ruleMessages(objectSchema(resource))));
    });
});
