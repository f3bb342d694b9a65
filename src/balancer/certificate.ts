import { err, ok, type Result } from '../foundation/result.ts';
import { withoutEmpty } from '../foundation/without-empty.ts';
import type { DesiredObject, Fields } from '../kubernetes/objects.ts';
import { certificateName, certificateSecretName, type Identity } from './identity.ts';
import { defaultLabels, objectLabels } from './labels.ts';
import { type BalancerProblem, ECDSA_KEY_SIZES, PROBLEM_TEXTS, RSA_MINIMUM_KEY_SIZE } from './problem.ts';
import type { CertificateSpec, IssuerReference } from './settings.ts';

/** Field by field the Balancer's own value, else the operator's default, whole: nothing is merged inside a field. */
export function effectiveCertificate(
  own: CertificateSpec,
  defaults: CertificateSpec | undefined,
): CertificateSpec {
  const given = Object.entries(own).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
}

/**
 * The Certificate that clients are shown; undefined where no issuer is known, and then its other fields mean nothing.
 * Fails where the private key's size is not one of its algorithm.
 */
export function renderCertificate(
  identity: Identity,
  own: CertificateSpec,
  defaults: CertificateSpec | undefined,
): Result<DesiredObject | undefined, BalancerProblem> {
  const effective = effectiveCertificate(own, defaults);
  if (effective.issuerRef === undefined) return ok(undefined);
  const privateKey = renderPrivateKey(effective);
  if (!privateKey.ok) return err(keySizeProblem(own, privateKey.error));
  const { duration, renewBefore, dnsNames = [], secretTemplate = {} } = effective;
  return ok({
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: {
      name: certificateName(identity),
      namespace: identity.namespace,
      labels: objectLabels(identity),
    },
    spec: {
      dnsNames,
      ...withoutEmpty({ duration, renewBefore }),
      issuerRef: renderIssuer(effective.issuerRef),
      privateKey: privateKey.value,
      secretName: certificateSecretName(identity),
      secretTemplate: {
        ...withoutEmpty({ annotations: secretTemplate.annotations }),
        labels: { ...secretTemplate.labels, ...defaultLabels(identity) },
      },
    },
  });
}

function renderIssuer({ name, kind, group }: IssuerReference): Fields {
  return { name, ...withoutEmpty({ kind, group }) };
}

function renderPrivateKey({
  privateKeyAlgorithm: algorithm = 'ECDSA',
  privateKeySize: size,
}: CertificateSpec): Result<Fields, string> {
  const key = { algorithm, encoding: 'PKCS8', rotationPolicy: 'Always' };
  switch (algorithm) {
    case 'ECDSA': {
      const bits = size ?? 256;
      return ECDSA_KEY_SIZES.includes(bits) ? ok({ ...key, size: bits }) : err(PROBLEM_TEXTS.ecdsaKeySize);
    }
    case 'RSA': {
      // Not upstream's hint, which is 256 for every algorithm and makes RSA without a size fail always.
      const bits = size ?? 4096;
      return bits >= RSA_MINIMUM_KEY_SIZE ? ok({ ...key, size: bits }) : err(PROBLEM_TEXTS.rsaKeySize);
    }
    case 'Ed25519':
      return ok(key);
  }
}

/** Names the place where the wrong size stands: the Balancer, or the operator's defaults. */
function keySizeProblem({ privateKeySize }: CertificateSpec, message: string): BalancerProblem {
  const path =
    privateKeySize === undefined
      ? '--default-certificate-specs balancerdExternal.privateKeySize'
      : 'spec.externalCertificateSpec.privateKeySize';
  return { path, message, reason: 'InvalidKeySize' };
}
