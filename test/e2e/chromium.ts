import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { chromium, type BrowserContext } from 'playwright-core';

/** Where Debian's package puts it; CHROMIUM_BIN names another. */
const DEBIAN = '/usr/bin/chromium';

/** Headless, and silent: a browser that calls nobody by itself. */
const ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A real browser with a new profile in `directory`; installed by apt where it is missing and we may. */
export async function startChromium(directory: string, log: (line: string) => void): Promise<BrowserContext> {
  return chromium.launchPersistentContext(directory, {
    executablePath: findChromium(log),
    headless: true,
    chromiumSandbox: false,
    args: ARGUMENTS,
    viewport: { width: 1200, height: 900 },
  });
}

function findChromium(log: (line: string) => void): string {
  const given = process.env['CHROMIUM_BIN'];
  if (given !== undefined) return given;
  if (existsSync(DEBIAN)) return DEBIAN;
  if (userInfo().uid !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error(
      'no Chromium: install it (Debian: apt-get install chromium), or name one by CHROMIUM_BIN',
    );
  log('installing Chromium with apt-get');
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
    stdio: 'ignore',
  });
  return DEBIAN;
}
