import type { SpecProblem } from '../kubernetes/spec-problem.ts';
import type { BALANCER_REASONS, BalancerReason } from './reasons.ts';

/** Reasons of SpecValid=False. */
export type InvalidReason = Exclude<
  {
    [R in BalancerReason]: (typeof BALANCER_REASONS)[R]['condition'] extends 'SpecValid' ? R : never;
  }[BalancerReason],
  'SpecAccepted'
>;

/** One thing that is wrong with a Balancer, and the reason that status gives for it. */
export interface BalancerProblem extends SpecProblem {
  readonly reason: InvalidReason;
}

/** The texts that the hook and the CRD's rules share; the first five are Materialize's own words. */
export const PROBLEM_TEXTS = {
  noRouting: 'no routing configuration present',
  multipleRoutings: 'multiple routing configurations present',
  frontegg: 'frontegg routing is not yet implemented',
  ecdsaKeySize: 'ECDSA key size must be one of 256, 384, or 521 bits',
  rsaKeySize: 'RSA key size must be at least 2048 bits',
  nameTooLong:
    'must be at most 63 characters: it becomes the value of a label; make the Balancer anew with a shorter name',
} as const;

/** In bits: the curves P-256, P-384 and P-521, and the least that cert-manager takes for RSA. */
export const ECDSA_KEY_SIZES: readonly number[] = [256, 384, 521];
export const RSA_MINIMUM_KEY_SIZE = 2048;
