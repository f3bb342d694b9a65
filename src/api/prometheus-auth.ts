import { z } from 'zod';
import type { PrometheusAuth } from '../rebalance/spec.ts';
import { withRules } from './rules.ts';
import { secretKeyReference } from './secret-key-reference.ts';

const authObject = z.object({
  secretRef: z
    .object({
      userSecretRef: secretKeyReference('Where the user name is.'),
      passwordSecretRef: secretKeyReference('Where the password is.'),
    })
    .meta({ description: 'Basic authentication by Secrets, read at each evaluation.' })
    .optional(),
  bearerTokenSecretRef: secretKeyReference('Where a bearer token is, read at each evaluation.').optional(),
});

type WireAuth = z.output<typeof authObject>;

const KINDS = ['secretRef', 'bearerTokenSecretRef'] as const satisfies readonly (keyof WireAuth)[];

/** Credentials for Prometheus on the wire. */
export const prometheusAuthSchema = withRules(
  authObject,
  [
    {
      cel: `[${KINDS.map((kind) => `has(self.${kind})`).join(', ')}].filter(given, given).size() <= 1`,
      message: `expected at most one of ${KINDS.join(', ')}`,
      holds: (auth) => KINDS.filter((kind) => auth[kind] !== undefined).length <= 1,
    },
  ],
  { description: 'Credentials for Prometheus, of one kind; none where absent.' },
);

/** Wire to domain. */
export function toPrometheusAuth(wire: WireAuth | undefined): PrometheusAuth {
  if (wire?.secretRef !== undefined) {
    const { userSecretRef: user, passwordSecretRef: password } = wire.secretRef;
    return { kind: 'Basic', user, password };
  }
  if (wire?.bearerTokenSecretRef !== undefined) return { kind: 'Bearer', token: wire.bearerTokenSecretRef };
  return { kind: 'None' };
}
