import { z } from 'zod';
import { certain } from '../foundation/certain.ts';
import type { Route53Target, TargetRecord } from '../rebalance/spec.ts';
import { MAX_RECORDS } from '../rebalance/weight.ts';
import { awsAuthSchema, awsRegion, toAwsAuth } from './aws-auth.ts';
import { exactlyOne, withRules } from './rules.ts';

const MAX_SHARE = 255;

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
    identifier: identifier(
      'Set identifier of the weighted record that is steered, where it is one; several are named in resources.',
    ).optional(),
  })
  .meta({ description: 'The weighted record that is steered, or the set of those that are.' });

const resources = withRules(
  z
    .array(
      z
        .object({
          identifier: identifier('Set identifier of a weighted record that is steered.'),
          share: z
            .int()
            .min(1)
            .max(MAX_SHARE)
            .meta({ description: 'Its part of the weight, beside the shares of the others.' })
            .default(1),
        })
        .meta({ description: 'A weighted record that is steered.' }),
    )
    .min(1)
    .max(MAX_RECORDS),
  [
    {
      cel: 'self.all(one, self.exists_one(other, other.identifier == one.identifier))',
      message: 'resources must not name an identifier twice',
      holds: (all) => new Set(all.map((each) => each.identifier)).size === all.length,
    },
  ],
  {
    description:
      'The weighted records of the name and type that are steered together, in place of resource.identifier: the weight is split over them by their shares. Whole parts first; what is left goes, one each, to the largest fractions, among equal ones to the larger share, then to the identifier that sorts first. All are written in one atomic change.',
  },
);

const route53Object = z.object({
  hostedZoneID: z
    .string()
    .max(45)
    .regex(/^(\/?hostedzone\/)?[A-Z0-9]{1,32}$/, 'expected a hosted zone id such as hostedzone/Z0123456789')
    .meta({ description: 'Hosted zone: <id>, hostedzone/<id> and /hostedzone/<id> mean the same.' }),
  region: awsRegion('AWS region for signing and STS; Route 53 itself is global.').optional(),
  resource,
  resources: resources.optional(),
  reference: identifier(
    'Set identifier of the reference record, whose weight is read where baseValue is absent; the only other record of the set where absent.',
  ).optional(),
  write: z.enum(['Upsert', 'CompareAndSwap']).default('Upsert').meta({
    description:
      'How a weight is written. Upsert replaces the record, as soon as it was read. CompareAndSwap deletes exactly what was read and creates the new record in one atomic change, which Route 53 refuses where anything of the record was changed meanwhile.',
  }),
  auth: awsAuthSchema.optional(),
});

const route53Schema = withRules(
  route53Object,
  [
    {
      cel: 'has(self.resource.identifier) != has(self.resources)',
      message: 'expected exactly one of resource.identifier and resources',
      holds: ({ resource: one, resources: several }) =>
        (one.identifier === undefined) !== (several === undefined),
    },
    {
      cel: '!has(self.reference) || !has(self.resource.identifier) || self.reference != self.resource.identifier',
      message: 'reference must not be the record that is steered',
      holds: ({ reference, resource: one }) => reference === undefined || reference !== one.identifier,
    },
    {
      cel: '!has(self.reference) || !has(self.resources) || self.resources.all(each, each.identifier != self.reference)',
      message: 'reference must not be one of resources',
      holds: ({ reference, resources: several = [] }) =>
        several.every((each) => each.identifier !== reference),
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

type WireTarget = z.output<typeof route53Object>;

/** Wire to domain: the zone as its bare id, the type in upper case. */
export function toRoute53Target(wire: WireTarget): Route53Target {
  return {
    kind: 'Route53',
    hostedZoneId: wire.hostedZoneID.replace(/^.*\//, ''),
    region: wire.region,
    name: wire.resource.name,
    type: wire.resource.type.toUpperCase(),
    records: toRecords(wire),
    reference: wire.reference,
    compareAndSwap: wire.write === 'CompareAndSwap',
    auth: toAwsAuth(wire.auth),
  };
}

/** One record has the whole weight, whatever its share. */
function toRecords({ resource: one, resources: several }: WireTarget): readonly TargetRecord[] {
  return (
    several ?? [{ identifier: certain(one.identifier, 'resource.identifier, without resources'), share: 1 }]
  );
}
