import { z } from 'zod';
import type { CertificateSpec, DefaultCertificateSpecs } from '../balancer/settings.ts';
import { ok, type Result } from '../foundation/result.ts';
import { goDuration } from './go-duration.ts';
import { parseJsonSetting } from './json-setting.ts';
import { annotationMap, labelMap } from './metadata-maps.ts';

const issuerRef = z
  .object({
    name: z.string().min(1).max(253).meta({ description: 'Name of the issuer.' }),
    kind: z
      .string()
      .max(63)
      .meta({ description: 'Kind of the issuer; cert-manager takes Issuer where it is absent.' })
      .optional(),
    group: z
      .string()
      .max(253)
      .meta({
        description: 'API group of the issuer; cert-manager takes cert-manager.io where it is absent.',
      })
      .optional(),
  })
  .meta({
    description: 'The cert-manager issuer that signs. A certificate is in use only where one is known.',
  });

const secretTemplate = z
  .object({
    annotations: annotationMap("Annotations of the certificate's Secret.").optional(),
    labels: labelMap(
      "Labels of the certificate's Secret; the four default labels of the Balancer win over equal keys.",
    ).optional(),
  })
  .meta({ description: 'What cert-manager puts on the Secret beside the certificate.' });

/**
 * Materialize's MaterializeCertSpec. Each field that is absent is taken, whole, from the operator's
 * --default-certificate-specs.
 */
export const certificateSpecSchema = z.object({
  dnsNames: z
    .array(z.string().min(1).max(253).meta({ description: 'A DNS name.' }))
    .max(128)
    .meta({
      description: 'DNS names of the certificate. An empty list is a value: it wins over the default.',
    })
    .optional(),
  duration: goDuration('Requested lifetime, a Go duration such as 2160h.').optional(),
  renewBefore: goDuration('How long before its end the certificate is renewed, a Go duration.').optional(),
  issuerRef: issuerRef.optional(),
  secretTemplate: secretTemplate.optional(),
  privateKeyAlgorithm: z
    .enum(['RSA', 'ECDSA', 'Ed25519'])
    .meta({ description: 'Algorithm of the private key; ECDSA where neither this nor the default says one.' })
    .optional(),
  privateKeySize: z
    .int()
    .min(0)
    .max(65_536)
    .meta({
      description:
        'Bits of the private key: 256 (default), 384 or 521 for ECDSA, at least 2048 (default 4096) for RSA, without meaning for Ed25519.',
    })
    .optional(),
});

const defaultCertificateSpecsSchema = z.object({
  balancerdExternal: certificateSpecSchema.optional(),
  internal: certificateSpecSchema.optional(),
});

/**
 * The value of `--default-certificate-specs`: a JSON object with the keys balancerdExternal, internal and consoleExternal
 * (which no Balancer uses). Null is absent, unknown keys are ignored. The error is a clause that follows "expected".
 */
export function parseDefaultCertificateSpecs(json: string): Result<DefaultCertificateSpecs, string> {
  const specs = parseJsonSetting(defaultCertificateSpecsSchema, json, 'certificate specs');
  if (!specs.ok) return specs;
  return ok({
    balancerdExternal: toCertificateSpec(specs.value.balancerdExternal),
    internal: toCertificateSpec(specs.value.internal),
  });
}

/** Wire to domain: an empty kind or group of an issuer means what an absent one does. */
export function toCertificateSpec(wire: z.output<typeof certificateSpecSchema> | undefined): CertificateSpec {
  if (wire?.issuerRef === undefined) return wire ?? {};
  const { name, kind, group } = wire.issuerRef;
  return {
    ...wire,
    issuerRef: { name, kind: kind === '' ? undefined : kind, group: group === '' ? undefined : group },
  };
}
