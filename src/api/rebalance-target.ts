import { z } from 'zod';
import type { Route53Target } from '../rebalance/spec.ts';
import { awsAuthSchema, toAwsAuth } from './aws-auth.ts';
import { exactlyOne, withRules } from './rules.ts';

/** Route 53 API Reference, ResourceRecordSet: SetIdentifier has 1 to 128 characters. */
function identifier(description: string) {
  return z.string().min(1).max(128).meta({ description });
}

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
  auth: awsAuthSchema.optional(),
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
    auth: toAwsAuth(wire.auth),
  };
}
