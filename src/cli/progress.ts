/** Where a progress bar goes: standard error, when somebody watches it. */
export interface Terminal {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

export interface Progress {
  show(done: number, all: number): void;
  /** Takes the bar away. */
  clear(): void;
}

/** Shorter work is over before a bar would be read. */
const LONG = 2_000;
const BAR_WIDTH = 30;
const REDRAW_MS = 100;

/** A bar for work of `units` steps; it draws nothing where nobody watches, or for little work. */
export function createProgress(terminal: Terminal, label: string, units: number, nowMs = Date.now): Progress {
  const isShown = terminal.isTTY === true && units >= LONG;
  let drawnMs = 0;
  return {
    show(done, all) {
      const now = isShown ? nowMs() : 0;
      if (!isShown || (now - drawnMs < REDRAW_MS && done < all)) return;
      drawnMs = now;
      const filled = Math.round((BAR_WIDTH * done) / all);
      const bar = '#'.repeat(filled).padEnd(BAR_WIDTH, '.');
      terminal.write(`\r${label} [${bar}] ${Math.floor((100 * done) / all)}%`);
    },
    clear() {
      if (isShown) terminal.write('\r\u001b[K');
    },
  };
}
