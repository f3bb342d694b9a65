/**
 * Scenarios of one suite that all begin with the first, and are told one by one: each waits for more than it does, and
 * keeps to objects of its own. Called in the `describe`, after the `before` that they need; gives what stands for `it`.
 */
export function together(): (name: string, play: () => Promise<void>) => void {
  const scenarios: { readonly play: () => Promise<void>; outcome: Promise<void> }[] = [];
  before(() => {
    for (const scenario of scenarios) {
      scenario.outcome = scenario.play();
      scenario.outcome.catch(() => undefined); // told by its own `it`
    }
  });
  after(async () => {
    // also those that --grep leaves out
    await Promise.allSettled(scenarios.map(({ outcome }) => outcome));
  });
  return (name, play) => {
    const scenario = { play, outcome: Promise.resolve() };
    scenarios.push(scenario);
    it(name, () => scenario.outcome);
  };
}
