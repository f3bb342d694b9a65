import type { Suite } from 'mocha';

/** Whether every test under `suite` has run and passed: a failed hook leaves its tests without a state, and so does --grep. */
export function hasPassed(suite: Suite | undefined): boolean {
  const all = suite?.suites.every(hasPassed) ?? true;
  return all && (suite?.tests.every((test) => test.state === 'passed') ?? true);
}
