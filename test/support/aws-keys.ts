import { ok } from '../../src/foundation/result.ts';
import type { AwsCredentialSets } from '../../src/rebalance/aws/port.ts';
import type { AwsBase } from '../../src/rebalance/spec.ts';

/** The keys of the Secret "aws", without the token of a session. */
export const SECRET_KEYS = {
  kind: 'SecretKeys',
  accessKeyId: { name: 'aws', key: 'id' },
  secretAccessKey: { name: 'aws', key: 'secret' },
  sessionToken: undefined,
} as const satisfies AwsBase;

/** Credentials that each region has of its own, whatever a target says of them: targets of one region share a set. */
export const KEYS_BY_REGION: AwsCredentialSets = {
  of: (_auth, region = '') => {
    const current = () => Promise.resolve(ok({ accessKeyId: `AKIA${region}`, secretAccessKey: 'secret' }));
    return Promise.resolve(ok({ key: region, current, forget: () => undefined }));
  },
};
