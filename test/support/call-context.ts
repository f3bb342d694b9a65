import { startDeadline, type Deadline } from '../../src/foundation/deadline.ts';
import { err, ok } from '../../src/foundation/result.ts';
import type { CallContext, SecretReader } from '../../src/rebalance/secrets.ts';

/** Secrets by "name/key"; any other one is missing. */
export function secretsOf(values: Readonly<Record<string, string>> = {}): SecretReader {
  return {
    read: ({ name, key }) => {
      const value = values[`${name}/${key}`];
      return Promise.resolve(
        value === undefined
          ? err({ reason: 'SecretMissing', message: `Secret ${name} does not exist` })
          : ok(value),
      );
    },
  };
}

/** What one evaluation hands to its outside calls; the default budget is the hook's. */
export function callContext(
  options: {
    readonly budgetMs?: number;
    readonly deadline?: Deadline;
    readonly secrets?: SecretReader;
    readonly caller?: string;
  } = {},
): CallContext {
  return {
    secrets: options.secrets ?? secretsOf(),
    caller: options.caller ?? 'counterpoise-default-example',
    deadline: options.deadline ?? startDeadline(options.budgetMs ?? 8_000),
  };
}
