/** Ends a `switch` over a union: a new member without a case does not compile; reaching it is a bug. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
