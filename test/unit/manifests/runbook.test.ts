import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BALANCER_REASONS } from '../../../src/balancer/reasons.ts';
import { flagRows } from '../../../src/config/flags.ts';
import { ADVICE_REASONS } from '../../../src/rebalance/reasons/advice.ts';
import { STATE_REASONS } from '../../../src/rebalance/reasons/conditions.ts';
import { DECISION_REASONS } from '../../../src/rebalance/reasons/decisions.ts';
import { METRIC_REASONS, TARGET_REASONS } from '../../../src/rebalance/reasons/failures.ts';
import { ROOT } from '../../support/kustomize.ts';

const runbook = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8');

/** The text below each `###` heading of a `##` section. */
function paragraphsOf(section: string): ReadonlyMap<string, string> {
  const text = runbook.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? '';
  const parts = text.split(/^### /m).slice(1);
  return new Map(
    parts.map((part) => {
      const [heading = '', ...body] = part.split('\n');
      return [heading, body.join('\n').trim()];
    }),
  );
}

const rows: Readonly<Record<string, readonly string[]>> = {
  'Reasons of a Balancer': Object.keys(BALANCER_REASONS),
  'Reasons of a Rebalance': [
    ...new Set(
      [DECISION_REASONS, STATE_REASONS, ADVICE_REASONS, METRIC_REASONS, TARGET_REASONS].flatMap((table) =>
        Object.keys(table),
      ),
    ),
  ],
};

describe('the runbook', () => {
  for (const [section, reasons] of Object.entries(rows)) {
    it(`has a paragraph for each of the ${section.toLowerCase()}, and for nothing else`, () => {
      assert.deepEqual([...paragraphsOf(section).keys()].sort(), reasons.toSorted());
    });

    it(`says more than the name in each paragraph of the ${section.toLowerCase()}`, () => {
      for (const [reason, text] of paragraphsOf(section)) assert.match(text, /\w.*\.$/s, reason);
    });
  }

  it('names only flags that there are', () => {
    const flags = new Set(flagRows().map(({ name }) => `--${name}`));
    const words = [...runbook.matchAll(/`(--[a-z0-9-]+)(?:[= ][^`]*)?`/g)].map(([, flag = '']) => flag);
    const ofMetacontroller = ['--client-go-qps', '--workers'];
    assert.deepEqual([...new Set(words.filter((flag) => !flags.has(flag)))].sort(), ofMetacontroller);
  });
});
