import { err, ok, type Result } from '../foundation/result.ts';
import { isLabelValue } from '../kubernetes/labels.ts';
import type { DesiredObject } from '../kubernetes/objects.ts';
import type { Blueprint } from './blueprint.ts';
import { effectiveCertificate, renderCertificate } from './certificate.ts';
import type { Identity } from './identity.ts';
import type { Observation } from './observe.ts';
import { type BalancerProblem, PROBLEM_TEXTS } from './problem.ts';
import { generateResourceId } from './resource-id.ts';
import type { BalancerSpec } from './spec.ts';

/** A Balancer that can be rendered. */
export interface Plan {
  readonly blueprint: Blueprint;
  /** undefined where no issuer is known. */
  readonly certificate: DesiredObject | undefined;
  readonly unknownFields: readonly string[];
}

/** Settles id, names and certificate; fails with what is wrong with the Balancer. */
export function planBalancer(observation: Observation): Result<Plan, readonly BalancerProblem[]> {
  const { parent, spec: read, settings } = observation;
  const wrongNames = nameProblems(parent);
  if (!read.ok) return err([...wrongNames, ...read.error]);
  if (wrongNames.length > 0) return err(wrongNames);
  const { spec, unknownFields } = read.value;
  const { balancerdExternal, internal } = settings.defaultCertificateSpecs;
  const identity = settleIdentity(observation, spec);
  const certificate = renderCertificate(identity, spec.externalCertificate, balancerdExternal);
  if (!certificate.ok) return err([certificate.error]);
  const { issuerRef } = effectiveCertificate(spec.internalCertificate, internal);
  const tls = { external: certificate.value !== undefined, internal: issuerRef !== undefined };
  return ok({
    blueprint: { identity, spec, settings, tls },
    certificate: certificate.value,
    unknownFields,
  });
}

/** The id that is settled, in status or in the children's names, wins; then the spec's, then one derived from the UID. */
function settleIdentity({ parent, previous }: Observation, spec: BalancerSpec): Identity {
  const resourceId = previous.resourceId ?? spec.resourceId ?? generateResourceId(parent.uid);
  return { parentName: parent.name, namespace: parent.namespace, resourceId };
}

/** The Balancer's own name becomes the value of a label; it is a DNS name, of which a label takes fewer characters. */
function nameProblems({ name }: Observation['parent']): readonly BalancerProblem[] {
  if (isLabelValue(name)) return [];
  return [{ path: 'metadata.name', message: PROBLEM_TEXTS.nameTooLong, reason: 'InvalidName' }];
}
