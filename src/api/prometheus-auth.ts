import { z } from 'zod';
import type { AwsAuth, PrometheusAuth } from '../rebalance/spec.ts';
import { assumeRoleSchema, awsRegion, toRole } from './aws-auth.ts';
import { withRules } from './rules.ts';
import { secretKeyReference } from './secret-key-reference.ts';
import { noneOf, textMap } from './text-map.ts';
import { tlsSchema, toTls } from './tls.ts';

const MAX_SCOPES = 32;
/** Parameters of a token request that the service itself sets, or that are for Secrets alone. */
const OWN_PARAMS = ['grant_type', 'scope', 'client_id', 'client_secret'];

const endpointParams = textMap(
  z.string().max(1024).meta({ description: 'Value of the parameter.' }),
  [noneOf(OWN_PARAMS, `expected no ${OWN_PARAMS.join(', ')}: other fields say them`)],
  'Parameters sent with the token request, such as audience. Not for secrets.',
);

const oauth2Object = z.object({
  tokenURL: z
    .string()
    .max(2048)
    .regex(
      /^https?:\/\/[^/?#@\s]+(\/[^#\s]*)?$/,
      'expected an address such as https://login.example.com/oauth2/token',
    )
    .meta({ description: 'Where tokens are given, http or https.' }),
  clientIDSecretRef: secretKeyReference('Where the client id is.'),
  clientSecretSecretRef: secretKeyReference('Where the client secret is.'),
  scopes: z
    .array(
      z
        .string()
        .min(1)
        .max(256)
        .regex(/^[!#-[\]-~]+$/, 'expected a scope: ASCII without spaces, quotes and "\\"')
        .meta({ description: 'A scope.' }),
    )
    .max(MAX_SCOPES)
    .meta({ description: 'Scopes asked for.' })
    .optional(),
  endpointParams: endpointParams.optional(),
  tls: tlsSchema.optional(),
});

/** The client credentials grant, in the words of Prometheus' oauth2. */
const oauth2 = withRules(
  oauth2Object,
  [
    {
      cel: "!has(self.tls) || self.tokenURL.startsWith('https:')",
      message: 'tls is for an https tokenURL',
      holds: ({ tls, tokenURL }) => tls === undefined || tokenURL.startsWith('https:'),
    },
    {
      cel: 'isURL(self.tokenURL)',
      message: 'expected a tokenURL that can be read as a URL',
      holds: ({ tokenURL }) => URL.canParse(tokenURL),
    },
  ],
  {
    description:
      "A bearer token of OAuth2's client credentials grant, kept until shortly before its end; Secrets are read at each evaluation.",
  },
);

const sigv4 = z
  .object({
    region: awsRegion('AWS region of the workspace.'),
    assumeRole: assumeRoleSchema.optional(),
  })
  .meta({
    description:
      "Signs queries for Amazon Managed Service for Prometheus, with the object's own AWS credentials (target.route53.auth); assumeRole takes its place there.",
  });

const authObject = z.object({
  secretRef: z
    .object({
      userSecretRef: secretKeyReference('Where the user name is.'),
      passwordSecretRef: secretKeyReference('Where the password is.'),
    })
    .meta({ description: 'Basic authentication by Secrets, read at each evaluation.' })
    .optional(),
  bearerTokenSecretRef: secretKeyReference('Where a bearer token is, read at each evaluation.').optional(),
  oauth2: oauth2.optional(),
  sigv4: sigv4.optional(),
});

type WireAuth = z.output<typeof authObject>;

const KINDS = [
  'secretRef',
  'bearerTokenSecretRef',
  'oauth2',
  'sigv4',
] as const satisfies readonly (keyof WireAuth)[];

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

/** Wire to domain. `targetAuth`: the AWS credentials of the object. */
export function toPrometheusAuth(wire: WireAuth | undefined, targetAuth: AwsAuth): PrometheusAuth {
  if (wire?.secretRef !== undefined) {
    const { userSecretRef: user, passwordSecretRef: password } = wire.secretRef;
    return { kind: 'Basic', user, password };
  }
  if (wire?.bearerTokenSecretRef !== undefined) return { kind: 'Bearer', token: wire.bearerTokenSecretRef };
  if (wire?.oauth2 !== undefined) return toOAuth2(wire.oauth2);
  if (wire?.sigv4 !== undefined) {
    const { region, assumeRole } = wire.sigv4;
    return { kind: 'SigV4', region, aws: { ...targetAuth, role: toRole(assumeRole) ?? targetAuth.role } };
  }
  return { kind: 'None' };
}

function toOAuth2(wire: z.output<typeof oauth2Object>): PrometheusAuth {
  return {
    kind: 'OAuth2',
    tokenUrl: wire.tokenURL,
    clientId: wire.clientIDSecretRef,
    clientSecret: wire.clientSecretSecretRef,
    scopes: wire.scopes ?? [],
    endpointParams: wire.endpointParams ?? {},
    tls: toTls(wire.tls),
  };
}
