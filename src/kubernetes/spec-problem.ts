import { listSome } from '../foundation/list-some.ts';

/** One thing that is wrong with a spec, in one line: where, what, what was expected. */
export interface SpecProblem {
  /** Field path from the object: `spec.policy.targettracking.targetValue`. */
  readonly path: string;
  readonly message: string;
}

/** All problems of a spec in one line, the first few in full. */
export function describeProblems(problems: readonly SpecProblem[]): string {
  return listSome(
    problems.map(({ path, message }) => `${path}: ${message}`),
    '; ',
  );
}
