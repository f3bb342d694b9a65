import assert from 'node:assert/strict';
import { pageData } from '../../../../src/cli/report/page-data.ts';
import { reportPage } from '../../../../src/cli/report/page.ts';
import { tell, type Report } from '../../../../src/cli/report/report.ts';
import { formatDuration, formatNumber } from '../../../../src/cli/report/format.ts';
import { NOON } from '../../../support/rebalance.ts';

const HOSTILE = '</script><script>alert("x")</script>';

function report(parts: Partial<Report> = {}): Report {
  const steps = [
    {
      atMs: NOON,
      metric: 1234.56789,
      load: undefined,
      weight: 3,
      decided: { reason: 'Tracking', because: HOSTILE },
    },
    { atMs: NOON + 60_000, metric: undefined, load: 1, weight: 3, decided: undefined },
  ] as const;
  const run = tell({ name: HOSTILE, target: 1000, startWeight: 0, steps });
  return {
    title: HOSTILE,
    measured: [HOSTILE],
    modelled: [],
    recorded: undefined,
    intervalMs: undefined,
    runs: [run],
    ...parts,
  };
}

describe('the page', () => {
  it('loads nothing, and forbids itself to', () => {
    const page = reportPage(report());
    assert.match(page, /Content-Security-Policy" content="default-src 'none'/);
    assert.doesNotMatch(page, /<(script|link|img)[^>]+(src|href)="(?!data:)/);
  });

  it('takes no text of a spec for markup', () => {
    const page = reportPage(report());
    assert.equal(page.match(/<script/g)?.length, 3);
    assert.equal(page.match(/<\/script/g)?.length, 3);
    assert.match(page, /<title>&lt;\/script&gt;&lt;script&gt;alert\(&quot;x&quot;\)/);
  });

  it('gives its script the data as they are', () => {
    const json =
      /<script id="data" type="application\/json">(.*?)<\/script>/s.exec(reportPage(report()))?.[1] ?? '';
    assert.deepEqual(JSON.parse(json), pageData(report()));
  });
});

describe("the page's data", () => {
  it('are columns with null where there is nothing, to six digits', () => {
    const [run] = pageData(report()).runs;
    assert.deepEqual(run, {
      name: HOSTILE,
      metric: [1234.57, null],
      weight: [3, 3],
      load: [null, 1],
      because: [`Tracking: ${HOSTILE}`, null],
    });
  });

  const labels = (parts: Partial<Report>) =>
    pageData(report(parts)).panels.map(({ lines }) => lines.map(({ label }) => label));

  it('show the one metric of a demand, and the recorded beside the runs for a load', () => {
    assert.deepEqual(labels({})[0], ['metric', 'target 1000']);
    assert.deepEqual(labels({ recorded: [1, undefined] })[0], [HOSTILE, 'target 1000', 'as recorded']);
  });

  it('count time in intervals for a simulation', () => {
    const { x } = pageData(report({ intervalMs: 30_000 }));
    assert.deepEqual(x, { label: 'Time (intervals)', isTime: false, values: [0, 2] });
  });
});

describe('a number for people', () => {
  const rows: readonly { readonly text: string; readonly says: string }[] = [
    { text: formatDuration(0), says: '0s' },
    { text: formatDuration(45_000), says: '45s' },
    { text: formatDuration(3_600_000), says: '1h' },
    { text: formatDuration(183_660_000), says: '2d 3h' },
    { text: formatNumber(1234.56), says: '1235' },
    { text: formatNumber(undefined), says: '-' },
  ];
  for (const { text, says } of rows) it(`is ${says}`, () => assert.equal(text, says));
});
