/** One thing that is wrong with a spec, in one line: where, what, what was expected. */
export interface SpecProblem {
  /** Field path from the object: `spec.policy.targettracking.targetValue`. */
  readonly path: string;
  readonly message: string;
}
