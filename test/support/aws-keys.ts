import type { AwsBase } from '../../src/rebalance/spec.ts';

/** The keys of the Secret "aws", without the token of a session. */
export const SECRET_KEYS = {
  kind: 'SecretKeys',
  accessKeyId: { name: 'aws', key: 'id' },
  secretAccessKey: { name: 'aws', key: 'secret' },
  sessionToken: undefined,
} as const satisfies AwsBase;
