import { z } from 'zod';
import type { Route53Auth, Route53Target } from '../rebalance/spec.ts';
import { exactlyOne, withRules } from './rules.ts';
import { secretKeyReference } from './secret-key-reference.ts';

/** Route 53 API Reference, ResourceRecordSet: SetIdentifier has 1 to 128 characters. */
function identifier(description: string) {
  return z.string().min(1).max(128).meta({ description });
}

const secretRef = z
  .object({
    accessKeyIDSecretRef: secretKeyReference('Where the access key id is.'),
    secretAccessKeySecretRef: secretKeyReference('Where the secret access key is.'),
  })
  .meta({ description: 'AWS keys in Secrets, read at each evaluation.' });

const auth = z.object({ secretRef: secretRef.optional() }).meta({
  description:
    "Credentials for Route 53; where absent the AWS SDK's default chain: environment, web identity, Pod Identity, instance.",
});

const resource = z
  .object({
    name: z
      .string()
      .min(1)
      .max(1024)
      .regex(/^\S+$/, 'expected a DNS name without white space')
      .meta({ description: 'DNS name, in any case, with or without a trailing dot; "*." for a wildcard.' }),
    type: z
      .string()
      .max(10)
      .regex(/^[A-Za-z]+$/, 'expected a record type such as A, AAAA or CNAME')
      .meta({ description: 'Record type: A, AAAA, CNAME, ...' }),
    identifier: identifier('Set identifier of the weighted record that is steered.'),
  })
  .meta({ description: 'The weighted record that is steered.' });

const route53Object = z.object({
  hostedZoneID: z
    .string()
    .max(45)
    .regex(/^(\/?hostedzone\/)?[A-Z0-9]{1,32}$/, 'expected a hosted zone id such as hostedzone/Z0123456789')
    .meta({ description: 'Hosted zone: <id>, hostedzone/<id> and /hostedzone/<id> mean the same.' }),
  region: z
    .string()
    .min(1)
    .max(64)
    .regex(/^[a-z0-9-]+$/, 'expected an AWS region such as ap-northeast-1')
    .meta({ description: 'AWS region for signing and STS; Route 53 itself is global.' })
    .optional(),
  resource,
  reference: identifier(
    'Set identifier of the reference record, whose weight is read where baseValue is absent; the only other record of the set where absent.',
  ).optional(),
  auth: auth.optional(),
});

const route53Schema = withRules(
  route53Object,
  [
    {
      cel: '!has(self.reference) || self.reference != self.resource.identifier',
      message: 'reference must not be the record that is steered',
      holds: ({ reference, resource: { identifier: own } }) => reference !== own,
    },
  ],
  { description: 'A weighted record of Amazon Route 53.' },
);

/** spec.target on the wire. */
export const targetSchema = exactlyOne(
  'route53',
  route53Schema,
  'Where the weight lives: exactly one target.',
);

/** Wire to domain: the zone as its bare id, the type in upper case. */
export function toRoute53Target(wire: z.output<typeof route53Object>): Route53Target {
  return {
    kind: 'Route53',
    hostedZoneId: wire.hostedZoneID.replace(/^.*\//, ''),
    region: wire.region,
    name: wire.resource.name,
    type: wire.resource.type.toUpperCase(),
    records: [{ identifier: wire.resource.identifier, share: 1 }],
    reference: wire.reference,
    auth: toAuth(wire.auth),
  };
}

function toAuth(wire: z.output<typeof auth> | undefined): Route53Auth {
  return wire?.secretRef === undefined
    ? { kind: 'DefaultChain' }
    : {
        kind: 'SecretKeys',
        accessKeyId: wire.secretRef.accessKeyIDSecretRef,
        secretAccessKey: wire.secretRef.secretAccessKeySecretRef,
      };
}
