import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { objectSchema } from '../../../src/cli/reference/crd.ts';
import { generatedFiles } from '../../../src/cli/reference/files.ts';
import { BALANCER, REBALANCE } from '../../../src/cli/reference/resources.ts';
import type { Schema } from '../../../src/cli/reference/schema.ts';
import { checkGenerated, writeGenerated } from '../../../src/cli/reference/tree.ts';
import { at, listAt, textAt } from '../../support/at.ts';
import { parseObjects, ROOT } from '../../support/kustomize.ts';
import { structuralProblems } from '../../support/structural-schema.ts';

const RESOURCES = [BALANCER, REBALANCE];

describe('what is generated', () => {
  it('stands in the tree as the code says it', () => {
    assert.deepEqual(checkGenerated(ROOT), []);
  });

  it('is written where it is missing or differs, removed where it is left over, and else left alone', () => {
    const root = mkdtempSync(join(tmpdir(), 'counterpoise-'));
    try {
      writeGenerated(root);
      assert.deepEqual(checkGenerated(root), []);
      writeFileSync(join(root, 'crds/kustomization.yaml'), 'by hand');
      writeFileSync(join(root, 'docs/reference/flags.md'), 'edited');
      writeFileSync(join(root, 'docs/reference/old.md'), 'of a kind that is gone');
      assert.deepEqual(checkGenerated(root), [
        'docs/reference/flags.md is not what the code says: run "npm run generate"',
        'docs/reference/old.md is left over: run "npm run generate"',
      ]);
      writeGenerated(root);
      assert.deepEqual(checkGenerated(root), []);
      assert.equal(readFileSync(join(root, 'crds/kustomization.yaml'), 'utf8'), 'by hand');
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it('is every CRD that `make install` applies', () => {
    const kustomization = parseObjects(readFileSync(join(ROOT, 'crds/kustomization.yaml'), 'utf8'))[0];
    const crds = [...generatedFiles().keys()].filter((path) => path.startsWith('crds/'));
    assert.deepEqual(
      listAt(kustomization, 'resources').map((name) => `crds/${String(name)}`),
      crds,
    );
    assert.deepEqual(
      readdirSync(join(ROOT, 'crds')).toSorted(),
      [...crds.map((path) => path.slice('crds/'.length)), 'kustomization.yaml'].toSorted(),
    );
  });
});

for (const resource of RESOURCES) {
  const name = `${resource.plural}.${resource.group}`;
  const schema = objectSchema(resource);

  describe(`the CRD ${name}`, () => {
    it('is structural, bounded and described in every field', () => {
      const { spec, status } = schema.properties ?? {};
      assert.deepEqual([...structuralProblems(spec, 'spec'), ...structuralProblems(status, 'status')], []);
    });

    it('has what Metacontroller needs: the status subresource and observedGeneration', () => {
      const crd = parseObjects(readFileSync(join(ROOT, `crds/${name}.yaml`), 'utf8'))[0];
      const version = at(crd, 'spec.versions.0');
      assert.equal(crd?.metadata.name, name);
      assert.deepEqual(at(version, 'subresources'), { status: {} });
      const properties = 'schema.openAPIV3Schema.properties.status.properties';
      assert.equal(textAt(version, `${properties}.observedGeneration.type`), 'integer');
    });

    it('shows columns of fields that exist', () => {
      for (const { name: column, type, jsonPath } of resource.columns) {
        if (jsonPath === '.metadata.creationTimestamp') continue;
        const field = fieldAt(
          schema,
          jsonPath
            .replace(/\[\?.*?\]/, '.[]')
            .split('.')
            .slice(1),
        );
        const shown = type === 'date' ? 'string' : type;
        assert.equal(field?.type, shown, `${column} shows ${jsonPath}`);
      }
    });
  });
}

/** The schema of a field; `[]` steps into the items of a list. */
function fieldAt(schema: Schema, path: readonly string[]): Schema | undefined {
  return path.reduce<Schema | undefined>(
    (above, key) => (key === '[]' ? above?.items : above?.properties?.[key]),
    schema,
  );
}
