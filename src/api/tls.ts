import { z } from 'zod';
import type { TlsSpec } from '../rebalance/spec.ts';
import { withRules } from './rules.ts';
import { secretKeyReference } from './secret-key-reference.ts';

const tlsObject = z.object({
  caSecretRef: secretKeyReference(
    "Where the CA certificates are (PEM) that alone are believed; the system's where absent.",
  ).optional(),
  certSecretRef: secretKeyReference('Where the client certificate is (PEM), its chain included.').optional(),
  keySecretRef: secretKeyReference('Where its private key is (PEM, not encrypted).').optional(),
  serverName: z
    .string()
    .min(1)
    .max(253)
    .regex(/^[A-Za-z0-9.:_-]+$/, 'expected a host name')
    .meta({ description: "Name that the server's certificate must have; the host called where absent." })
    .optional(),
  insecureSkipVerify: z
    .boolean()
    .default(false)
    .meta({ description: 'Believe any certificate: whoever is in between can read and change everything.' }),
});

/** TLS of an address that is called, in the words of Prometheus' tls_config. */
export const tlsSchema = withRules(
  tlsObject,
  [
    {
      cel: 'has(self.certSecretRef) == has(self.keySecretRef)',
      message: 'certSecretRef and keySecretRef need each other',
      holds: ({ certSecretRef, keySecretRef }) =>
        (certSecretRef === undefined) === (keySecretRef === undefined),
    },
    {
      cel: '!self.insecureSkipVerify || !has(self.caSecretRef)',
      message: 'caSecretRef means nothing with insecureSkipVerify',
      holds: ({ insecureSkipVerify, caSecretRef }) => !insecureSkipVerify || caSecretRef === undefined,
    },
  ],
  { description: 'TLS settings of an https address; Secrets are read at each evaluation.' },
);

/** Wire to domain. */
export function toTls(wire: z.output<typeof tlsObject> | undefined): TlsSpec | undefined {
  if (wire === undefined) return undefined;
  const { caSecretRef, certSecretRef: cert, keySecretRef: key, serverName, insecureSkipVerify } = wire;
  const clientCertificate = cert === undefined || key === undefined ? undefined : { cert, key };
  return { ca: caSecretRef, clientCertificate, serverName, insecureSkipVerify };
}
