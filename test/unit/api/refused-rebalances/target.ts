import { wireSpec } from '../../../support/rebalance.ts';
import { ROUTE53, withPart, withRecords, type Refused } from '../../../support/rebalance-wire.ts';

/** What is wrong with a record set, and with the credentials for it. */
export const refusedTargets: readonly Refused[] = [
  {
    name: 'a hosted zone that is a name',
    spec: withPart(`${ROUTE53}.hostedZoneID`, 'example.com'),
    problems: ['spec.target.route53.hostedZoneID: expected a hosted zone id such as hostedzone/Z0123456789'],
  },
  {
    name: 'a record without an identifier (s2: the original crashes or takes another record)',
    spec: withPart(`${ROUTE53}.resource`, { name: 'example.com', type: 'A' }),
    problems: ['spec.target.route53: expected exactly one of resource.identifier and resources'],
  },
  {
    name: 'one record, and several',
    spec: withPart(`${ROUTE53}.resources`, [{ identifier: 'blue' }]),
    problems: ['spec.target.route53: expected exactly one of resource.identifier and resources'],
  },
  {
    name: 'a list of records without any',
    spec: withRecords(),
    problems: ['spec.target.route53.resources: expected at least 1 items'],
  },
  {
    name: 'more records than a set can have',
    spec: withRecords(...Array.from({ length: 101 }, (_, n) => ({ identifier: `record-${n}` }))),
    problems: ['spec.target.route53.resources: expected at most 100 items'],
  },
  {
    name: 'a record that is listed twice, with another share',
    spec: withRecords({ identifier: 'blue' }, { identifier: 'green' }, { identifier: 'blue', share: 3 }),
    problems: ['spec.target.route53.resources: resources must not name an identifier twice'],
  },
  {
    name: 'shares of nothing, of a half, and of too much',
    spec: withRecords(...[0, 0.5, 256].map((share, index) => ({ identifier: `record-${index}`, share }))),
    problems: [
      'spec.target.route53.resources[0].share: expected at least 1',
      'spec.target.route53.resources[1].share: expected an integer',
      'spec.target.route53.resources[2].share: expected at most 255',
    ],
  },
  {
    name: 'a reference that is the own record',
    spec: withPart(`${ROUTE53}.reference`, 'aws'),
    problems: ['spec.target.route53: reference must not be the record that is steered'],
  },
  {
    name: 'a reference that is one of several own records',
    spec: {
      ...wireSpec(),
      target: {
        route53: {
          hostedZoneID: 'Z1',
          resource: { name: 'example.com', type: 'A' },
          resources: [{ identifier: 'blue' }, { identifier: 'green' }],
          reference: 'green',
        },
      },
    },
    problems: ['spec.target.route53: reference must not be one of resources'],
  },
  {
    name: 'half a pair of keys',
    spec: withPart(`${ROUTE53}.auth`, {
      secretRef: { accessKeyIDSecretRef: { name: 'aws', key: 'id' } },
    }),
    problems: ['spec.target.route53.auth.secretRef.secretAccessKeySecretRef: is required'],
  },
  {
    name: 'a role that is none',
    spec: withPart(`${ROUTE53}.auth`, {
      assumeRole: { roleARN: 'arn:aws:iam::123456789012:user/dns', externalID: 'x', sessionName: 'a b' },
    }),
    problems: [
      'spec.target.route53.auth.assumeRole.roleARN: expected the ARN of a role such as arn:aws:iam::123456789012:role/dns',
      'spec.target.route53.auth.assumeRole.externalID: expected at least 2 characters',
      'spec.target.route53.auth.assumeRole.sessionName: expected letters, digits and any of _+=,.@-',
    ],
  },
  {
    name: 'a role without the ARN that says which',
    spec: withPart(`${ROUTE53}.auth`, { assumeRole: { externalID: 'a&b', sessionName: 'a'.repeat(65) } }),
    problems: [
      'spec.target.route53.auth.assumeRole.roleARN: is required',
      'spec.target.route53.auth.assumeRole.externalID: expected letters, digits and any of _+=,.@:/-',
      'spec.target.route53.auth.assumeRole.sessionName: expected at most 64 characters',
    ],
  },
];
