import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Express } from 'express';
import request from 'supertest';
import { createApp } from '../../src/app.ts';
import { err, ok } from '../../src/foundation/result.ts';
import type { KubernetesApi } from '../../src/kubernetes/api.ts';
import { createAwsCredentials } from '../../src/rebalance/aws/credentials.ts';
import type { RebalanceStatus } from '../../src/rebalance/status.ts';
import { createRoute53Store } from '../../src/rebalance/targets/route53.ts';
import { isolateAwsEnvironment, setAwsEnvironment } from '../support/aws-environment.ts';
import { startAwsStandIn, type AwsStandIn } from '../support/aws-stand-in.ts';
import { conditionOf } from '../support/conditions.ts';
import { testDeps, testSettings, type TestDeps } from '../support/deps.ts';
import { wireSpec } from '../support/rebalance.ts';
import { faults, signerOf, startRoute53StandIn, type Route53StandIn } from '../support/route53-stand-in.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

const MINUTE = 60_000;

/** Whatever may not be seen outside begins so: values of Secrets, files and the environment, and what STS gives out. */
const SECRET = /SecretOf/;

const FROM_SECRET = {
  secretRef: {
    accessKeyIDSecretRef: { name: 'aws', key: 'id' },
    secretAccessKeySecretRef: { name: 'aws', key: 'secret' },
  },
};
const ROLE = { roleARN: 'arn:aws:iam::210987654321:role/dns', externalID: 'ours' };

/** Objects of one namespace, each with a zone of its own; the service believes what it is posted. */
describe('AWS credentials in the middle of work', () => {
  const clock = createVirtualClock(new Date().toISOString());
  let aws: AwsStandIn;
  let route53: Route53StandIn;
  let deps: TestDeps;
  let app: Express;
  let directory: string;
  let secrets: Record<string, Readonly<Record<string, string>>>;
  let load: number;
  let statuses: Map<string, RebalanceStatus>;
  /** Everything that anybody may read. */
  let seen: string[];
  isolateAwsEnvironment();

  beforeEach(async () => {
    aws = await startAwsStandIn({ clock });
    route53 = await startRoute53StandIn({ pendingPolls: -1 });
    directory = mkdtempSync(join(tmpdir(), 'counterpoise-'));
    secrets = { aws: { id: 'AKIASECRET1', secret: 'SecretOfSecret1' } };
    load = 2000;
    statuses = new Map();
    seen = [];
    deps = testDeps({
      settings: testSettings('--verify-parent=false'),
      clock,
      kubernetes: kubernetes(),
      metricSource: { read: () => Promise.resolve(ok({ kind: 'Value', text: String(load) })) },
      targetStore: createRoute53Store({ endpoint: route53.url, credentials: createAwsCredentials(clock) }),
    });
    app = createApp(deps);
    setAwsEnvironment({ AWS_ENDPOINT_URL_STS: aws.url });
  });

  afterEach(async () => {
    const syncs = seen.filter((text) => text.includes('"lastAttemptAt"')).length;
    const changes = route53.calls.filter(({ operation }) => operation === 'ChangeResourceRecordSets').length;
    process.stdout.write(
      `      ${syncs} attempts, ${route53.calls.length} calls of Route 53, ${changes} of them changes; ${aws.calls.length} calls of STS or the agent\n`,
    );
    rmSync(directory, { recursive: true });
    await Promise.all([aws.stop(), route53.stop()]);
    seen.push(JSON.stringify(deps.lines), (await request(app).get('/metrics')).text);
    for (const text of seen) assert.doesNotMatch(text, SECRET);
  });

  function kubernetes(): KubernetesApi {
    return {
      get: () => Promise.reject(new Error('no object is read')),
      list: () => Promise.reject(new Error('nothing is listed')),
      getSecret: (_namespace, name) => {
        const data = secrets[name];
        return Promise.resolve(
          data === undefined
            ? err({ kind: 'NotFound', message: 'not found' })
            : ok(new Map(Object.entries(data))),
        );
      },
      label: () => Promise.reject(new Error('nothing is labelled')),
      deleteAlone: () => Promise.reject(new Error('nothing is deleted')),
      record: (event) => void seen.push(JSON.stringify(event)),
    };
  }

  function createZone(name: string): void {
    route53.createZone(zoneOf(name), 'example.com');
    const record = { Name: 'example.com', Type: 'A', TTL: 60, ResourceRecords: [{ Value: '192.0.2.1' }] };
    for (const [SetIdentifier, Weight] of [
      ['aws', 1],
      ['onprem', 8],
    ] as const)
      route53.putRecord(zoneOf(name), { ...record, SetIdentifier, Weight });
  }

  function zoneOf(name: string): string {
    return `Z${name.toUpperCase()}`;
  }

  /** One sync, with the status that the one before left; load 1000 n asks for the weight 8 (n - 1). */
  async function sync(name: string, auth: object | undefined): Promise<RebalanceStatus> {
    if (!statuses.has(name)) createZone(name);
    const resource = { name: 'example.com', type: 'A', identifier: 'aws' };
    const route53Target = {
      hostedZoneID: zoneOf(name),
      resource,
      ...(auth === undefined ? {} : { auth }),
    };
    const response = await request(app)
      .post('/rebalance/sync')
      .send({
        controller: {},
        parent: {
          metadata: { namespace: 'default', name, uid: `u-${name}`, generation: 1 },
          spec: wireSpec({}, { target: { route53: route53Target } }),
          status: statuses.get(name),
        },
        children: {},
        related: {},
        finalizing: false,
      });
    assert.equal(response.status, 200, response.text);
    seen.push(response.text);
    const { status } = response.body as { readonly status: RebalanceStatus };
    statuses.set(name, status);
    return status;
  }

  /** A minute later, with another load, so that there is something to write: what TargetSynced says, and the weight in DNS. */
  async function next(name: string, auth: object | undefined): Promise<readonly [string, number]> {
    clock.advance(MINUTE);
    load = load === 2000 ? 3000 : 2000;
    const status = await sync(name, auth);
    const { reason, message } = conditionOf(status, 'TargetSynced');
    const weight = route53.record(zoneOf(name), 'example.com', 'A', 'aws')?.Weight;
    return [`${reason}: ${message}`, weight ?? -1];
  }

  async function assertWrites(name: string, auth: object | undefined): Promise<void> {
    const [synced, weight] = await next(name, auth);
    assert.match(synced, /^InSync/);
    assert.equal(weight, load === 3000 ? 16 : 8);
  }

  function signers(): readonly string[] {
    return [...new Set(route53.calls.map(({ headers }) => signerOf(headers)))];
  }

  it('two accounts at once: each zone is called by its own', async () => {
    secrets['other'] = { id: 'AKIAOTHER', secret: 'SecretOfOther' };
    const other = {
      secretRef: {
        accessKeyIDSecretRef: { name: 'other', key: 'id' },
        secretAccessKeySecretRef: { name: 'other', key: 'secret' },
      },
    };
    await Promise.all([
      sync('one', FROM_SECRET),
      sync('two', other),
      sync('three', { ...other, assumeRole: ROLE }),
    ]);
    for (const [name, signer] of [
      ['one', 'AKIASECRET1'],
      ['two', 'AKIAOTHER'],
      ['three', 'ASIASESSION1'],
    ] as const) {
      const calls = route53.calls.filter(({ id }) => id === zoneOf(name));
      assert.deepEqual(
        calls.map(({ operation, headers }) => [operation, signerOf(headers)]),
        [
          ['ListResourceRecordSets', signer],
          ['ChangeResourceRecordSets', signer],
        ],
      );
    }
    assert.equal(aws.calls[0]?.accessKeyId, 'AKIAOTHER');
    assert.equal(aws.calls[0].parameters.get('RoleSessionName'), 'counterpoise-default-three');
  });

  it('a Secret that is replaced while its old keys are revoked: the next attempt writes', async () => {
    await assertWrites('one', FROM_SECRET);
    secrets['aws'] = { id: 'AKIASECRET2', secret: 'SecretOfSecret2' };
    route53.refuse('AKIASECRET1', faults.invalidClientTokenId);
    await assertWrites('one', FROM_SECRET);
    assert.deepEqual(signers(), ['AKIASECRET1', 'AKIASECRET2']);
  });

  it('keys of a Secret that are revoked before they are replaced: said, and the first attempt after it writes', async () => {
    await assertWrites('one', FROM_SECRET);
    route53.refuse('AKIASECRET1', faults.invalidClientTokenId);
    assert.deepEqual(await next('one', FROM_SECRET), [
      'InvalidCredentials: spec.target.route53.auth: AWS does not accept the credentials (InvalidClientTokenId); check the access key and its secret',
      16,
    ]);
    secrets['aws'] = { id: 'AKIASECRET2', secret: 'SecretOfSecret2' };
    await assertWrites('one', FROM_SECRET);
  });

  it('temporary keys of a Secret are sent with their token', async () => {
    secrets['aws'] = { id: 'ASIASECRET', secret: 'SecretOfSecret', token: 'SecretOfToken' };
    const auth = {
      secretRef: { ...FROM_SECRET.secretRef, sessionTokenSecretRef: { name: 'aws', key: 'token' } },
    };
    await assertWrites('one', auth);
    assert.deepEqual(
      [...new Set(route53.calls.map(({ headers }) => headers['x-amz-security-token']))],
      ['SecretOfToken'],
    );
  });

  it('shared files that are rewritten while their old keys are revoked: the same attempt reads and writes', async () => {
    const path = join(directory, 'credentials');
    const keys = (number: number): string =>
      `[default]\naws_access_key_id = AKIAFILE${number}\naws_secret_access_key = SecretOfFile${number}\n`;
    writeFileSync(path, keys(1));
    setAwsEnvironment({ AWS_SHARED_CREDENTIALS_FILE: path });
    await assertWrites('one', undefined);
    writeFileSync(path, keys(2));
    route53.refuse('AKIAFILE1', faults.invalidClientTokenId);
    const { actualValue } = await sync('two', undefined);
    assert.equal(actualValue, 16);
    assert.deepEqual(signers(), ['AKIAFILE1', 'AKIAFILE2']);
  });

  const tokenFiles: readonly { name: string; environment: () => Readonly<Record<string, string>> }[] = [
    {
      name: 'web identity',
      environment: () => ({
        AWS_ENDPOINT_URL_STS: aws.url,
        AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/pod',
        AWS_WEB_IDENTITY_TOKEN_FILE: join(directory, 'token'),
      }),
    },
    {
      name: 'Pod Identity',
      environment: () => ({
        AWS_CONTAINER_CREDENTIALS_FULL_URI: aws.agentUrl,
        AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: join(directory, 'token'),
      }),
    },
  ];
  for (const { name, environment } of tokenFiles) {
    it(`a ${name} token that is rotated each hour, for three: no attempt fails, no session is used past its end`, async () => {
      setAwsEnvironment(environment());
      for (let minute = 0; minute < 180; minute += 10) {
        const token = `SecretOfPod${Math.floor(minute / 60)}`;
        aws.tokens = [token];
        writeFileSync(join(directory, 'token'), token);
        if (minute >= 60) route53.refuse(`ASIASESSION${Math.floor(minute / 60)}`, faults.expiredToken);
        await assertWrites('one', undefined);
        clock.advance(9 * MINUTE);
      }
      assert.equal(aws.calls.length, signers().length);
      assert.ok(aws.calls.length <= 4, `${aws.calls.length} sessions in three hours`);
    });

    it(`a session of a ${name} that is revoked: the same attempt gets another one`, async () => {
      setAwsEnvironment(environment());
      aws.tokens = ['SecretOfPod'];
      writeFileSync(join(directory, 'token'), 'SecretOfPod');
      await assertWrites('one', undefined);
      route53.refuse('ASIASESSION1', faults.expiredToken);
      await assertWrites('one', undefined);
      assert.deepEqual(signers(), ['ASIASESSION1', 'ASIASESSION2']);
    });
  }

  it('an assumed role whose session is revoked between the read and the write: the write is done by another one, once', async () => {
    const auth = { ...FROM_SECRET, assumeRole: ROLE };
    await assertWrites('one', auth);
    route53.fail('ChangeResourceRecordSets', faults.expiredToken);
    await assertWrites('one', auth);
    assert.equal(aws.calls.length, 2);
  });

  it('an assumed role of a base that was rotated in the Secret: assumed anew by the new keys', async () => {
    const auth = { ...FROM_SECRET, assumeRole: ROLE };
    await assertWrites('one', auth);
    secrets['aws'] = { id: 'AKIASECRET2', secret: 'SecretOfSecret2' };
    aws.refuse('AKIASECRET1', 'InvalidClientTokenId');
    await assertWrites('one', auth);
    assert.deepEqual(
      aws.calls.map(({ accessKeyId }) => accessKeyId),
      ['AKIASECRET1', 'AKIASECRET2'],
    );
  });

  it('an STS that is down does not stop an assumed role whose session is good', async () => {
    const auth = { ...FROM_SECRET, assumeRole: ROLE };
    await assertWrites('one', auth);
    aws.fail({ kind: 'Error', httpStatus: 503, code: 'ServiceUnavailable', message: 'later' }, 99);
    clock.advance(55 * MINUTE);
    await assertWrites('one', auth);
    aws.heal();
    await assertWrites('one', auth);
  });

  it('a role that may not be assumed: said with the reason, and its neighbour goes on', async () => {
    aws.fail({
      kind: 'Error',
      httpStatus: 403,
      code: 'AccessDenied',
      message: 'not allowed to sts:AssumeRole',
    });
    const [synced, weight] = await next('one', { ...FROM_SECRET, assumeRole: ROLE });
    assert.equal(
      synced,
      "AssumeRoleDenied: spec.target.route53.auth: sts:AssumeRole is not allowed; look at the role's trust policy, its external id included; AWS says: not allowed to sts:AssumeRole",
    );
    assert.equal(weight, 1);
    await assertWrites('two', FROM_SECRET);
  });
});
