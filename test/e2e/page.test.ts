import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { runProcess } from '../support/process.ts';
import { wireSpec } from '../support/rebalance.ts';
import { startChromium } from './chromium.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

/** How many pixels of each canvas are painted. */
const PAINTED = `[...document.querySelectorAll('canvas')].map((canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let painted = 0;
  for (let index = 3; index < data.length; index += 4) if (data[index] > 0) painted += 1;
  return painted;
})`;

describe('the page of a backtest, in Chromium', function () {
  this.timeout(300_000); // it may have to be installed

  let directory = '';
  let browser: BrowserContext | undefined;
  let page: Page;
  /** What the page asked the world for, and said on its console. */
  const requests: string[] = [];
  const complaints: string[] = [];

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'counterpoise-page-'));
    browser = await startChromium(join(directory, 'profile'), (line) => process.stderr.write(`${line}\n`));
    page = await browser.newPage();
    await browser.route('**', async (route) => {
      const url = route.request().url();
      if (url.startsWith('file:')) return route.continue();
      requests.push(url);
      return route.abort();
    });
    // The browser complains of this test too, which reads the canvases back; that is no complaint about the page.
    page.on('console', (message) => {
      const isOurs = message.text().includes('willReadFrequently');
      if (['error', 'warning'].includes(message.type()) && !isOurs) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(pathToFileURL(await backtestPage(directory)).href);
  });
  after(async () => {
    await browser?.close();
    rmSync(directory, { recursive: true, force: true });
  });
  afterEach(() => assert.deepEqual({ requests, complaints }, { requests: [], complaints: [] }));

  it('draws three panels, each with its lines', async () => {
    const painted = await page.evaluate<readonly number[]>(PAINTED);
    assert.equal(painted.length, 3);
    for (const pixels of painted) assert.ok(pixels > 2_000, `painted pixels: ${painted.join(', ')}`);
    assert.deepEqual(await page.locator('section > .legend').allInnerTexts(), [
      'metric\ntarget 1000\ntarget 2000',
      'rebalance.yaml\nhigher.yaml',
      'rebalance.yaml\nhigher.yaml\ntarget 1000\ntarget 2000',
    ]);
  });

  it('tells the decision under the cursor, of both specs, and nothing when it leaves', async () => {
    const chart = page.locator('#panel-1 .u-over');
    const box = await chart.boundingBox();
    assert.ok(box !== null, 'the chart is on the page');
    await chart.hover({ position: { x: box.width * 0.75, y: 20 } });
    const tip = page.locator('#tip');
    await tip.waitFor({ state: 'visible' });
    assert.deepEqual(await tip.locator('.because').allInnerTexts(), [
      'Tracking: metric 3000 against target 1000 and base 8 asks for 16',
      'Tracking: metric 3000 against target 2000 and base 8 asks for 4',
    ]);
    assert.match(await tip.locator('time').innerText(), /^2026-03-04 1\d:\d\d:00 UTC$/);
    await page.mouse.move(2, 2);
    await tip.waitFor({ state: 'hidden' });
  });

  it('sums up, and says what is measured and what is modelled', async () => {
    assert.match(await page.locator('table').innerText(), /^writes\s+1\s+1$/m);
    assert.deepEqual(await page.locator('.notes h2').allInnerTexts(), ['Measured', 'Modelled']);
  });

  it('draws anew in the dark', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    assert.equal(background, 'rgb(18, 22, 28)');
    const painted = await page.evaluate<readonly number[]>(PAINTED);
    assert.equal(painted.filter((pixels) => pixels > 2_000).length, 3);
  });
});

/** Makes the page by the command, from a file of six hours. */
async function backtestPage(directory: string): Promise<string> {
  const write = (name: string, text: string): string => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  const rebalance = (targetValue: number): string =>
    JSON.stringify({
      apiVersion: 'rebalancer.ch1aki.github.io/v1',
      kind: 'Rebalance',
      metadata: { name: 'page' },
      spec: wireSpec({ targetValue }),
    });
  const start = Date.parse('2026-03-04T12:00:00Z') / 1000;
  const rows = Array.from(
    { length: 360 },
    (_, minute) => `${start + 60 * minute},${minute < 120 ? 1000 : 3000}`,
  );
  const page = join(directory, 'page.html');
  const args = [
    ...['backtest', '--filename', write('rebalance.yaml', rebalance(1000))],
    ...['--compare', write('higher.yaml', rebalance(2000)), '--file', write('demand.csv', rows.join('\n'))],
    ...['--output', 'html', '--out', page],
  ];
  await runProcess({ name: 'counterpoise', command: process.execPath, args: [MAIN, ...args] });
  return page;
}
