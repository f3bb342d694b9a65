import {
  ChangeResourceRecordSetsCommand,
  CreateHostedZoneCommand,
  ListResourceRecordSetsCommand,
  Route53Client,
  type ResourceRecordSet,
} from '@aws-sdk/client-route-53';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/nested-clients/sts';
import type { AwsCredentials } from '../../src/rebalance/aws/port.ts';

/** A hosted zone of the emulator, written and read with the AWS SDK and nothing of ours. */
export interface Zone {
  /** Bare id. */
  readonly id: string;
  put(...records: readonly ResourceRecordSet[]): Promise<void>;
  /** Every record of the zone that is not its SOA or NS, in the order of the listing. */
  records(): Promise<readonly ResourceRecordSet[]>;
  /** The weight of the only record with this identifier. */
  weightOf(identifier: string): Promise<number | undefined>;
}

/** Keys for the emulator, which checks none. */
export const TEST_KEYS = { accessKeyId: 'test', secretAccessKey: 'test' } as const;

/** A role of an account; moto lets everybody assume any, and makes accounts as they are named. */
export function roleOf(account: string): string {
  return `arn:aws:iam::${account}:role/dns`;
}

/** Keys in another account, of the emulator's STS, by the SDK and nothing of ours. */
export async function sessionIn(motoUrl: string, account: string): Promise<AwsCredentials> {
  const sts = new STSClient({ endpoint: motoUrl, region: 'us-east-1', credentials: TEST_KEYS });
  const { Credentials: session } = await sts.send(
    new AssumeRoleCommand({ RoleArn: roleOf(account), RoleSessionName: 'test' }),
  );
  if (session?.AccessKeyId === undefined || session.SecretAccessKey === undefined)
    throw new Error(`STS gave no keys in ${account}`);
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, SessionToken } = session;
  return { accessKeyId, secretAccessKey, sessionToken: SessionToken ?? '' };
}

/** Makes a zone, e.g. `example.com`, in the account of the keys; moto keeps each account's zones apart. */
export async function createZone(
  motoUrl: string,
  name: string,
  credentials: AwsCredentials = TEST_KEYS,
): Promise<Zone> {
  const client = new Route53Client({ endpoint: motoUrl, region: 'us-east-1', credentials });
  const created = await client.send(
    new CreateHostedZoneCommand({ Name: name, CallerReference: `${name} ${performance.now()}` }),
  );
  const id = created.HostedZone?.Id?.replace('/hostedzone/', '') ?? '';
  const records = async (): Promise<readonly ResourceRecordSet[]> => {
    const listed = await client.send(new ListResourceRecordSetsCommand({ HostedZoneId: id, MaxItems: 300 }));
    if (listed.IsTruncated === true) throw new Error(`the zone ${name} has more records than a page holds`);
    return (listed.ResourceRecordSets ?? []).filter(({ Type }) => Type !== 'SOA' && Type !== 'NS');
  };
  return {
    id,
    records,
    put: async (...changed) => {
      const Changes = changed.map((record) => ({ Action: 'UPSERT' as const, ResourceRecordSet: record }));
      await client.send(new ChangeResourceRecordSetsCommand({ HostedZoneId: id, ChangeBatch: { Changes } }));
    },
    weightOf: async (identifier) => {
      const matching = (await records()).filter((record) => record.SetIdentifier === identifier);
      if (matching.length !== 1)
        throw new Error(`${matching.length} records have the identifier ${identifier}`);
      return matching[0]?.Weight;
    },
  };
}

/** What the AWS SDK finds the same keys in. */
export const TEST_ENVIRONMENT = {
  AWS_ACCESS_KEY_ID: TEST_KEYS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: TEST_KEYS.secretAccessKey,
} as const;
