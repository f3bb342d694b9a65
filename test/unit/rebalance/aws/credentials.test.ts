import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDeadline } from '../../../../src/foundation/deadline.ts';
import type { Result } from '../../../../src/foundation/result.ts';
import { createAwsCredentials } from '../../../../src/rebalance/aws/credentials.ts';
import type {
  AwsCredentials,
  AwsCredentialSets,
  CredentialFailure,
  CredentialSet,
} from '../../../../src/rebalance/aws/port.ts';
import type { CallContext } from '../../../../src/rebalance/secrets.ts';
import type { AwsAuth, AwsBase, AwsRole } from '../../../../src/rebalance/spec.ts';
import { isolateAwsEnvironment, setAwsEnvironment } from '../../../support/aws-environment.ts';
import { SECRET_KEYS } from '../../../support/aws-keys.ts';
import { startAwsStandIn, type AwsFault, type AwsStandIn } from '../../../support/aws-stand-in.ts';
import { callContext, secretsOf } from '../../../support/call-context.ts';
import { createVirtualClock } from '../../../support/virtual-clock.ts';

const MINUTE = 60_000;
const ROLE_ARN = 'arn:aws:iam::210987654321:role/dns';
const ROLE: AwsRole = { roleArn: ROLE_ARN, externalId: undefined, sessionName: undefined };
const FROM_PROCESS: AwsBase = { kind: 'DefaultChain' };
const WITH_TOKEN: AwsBase = { ...SECRET_KEYS, sessionToken: { name: 'aws', key: 'token' } };
const KEYS = { 'aws/id': 'AKIAEXAMPLE', 'aws/secret': 'SecretOfSecret' };

function context(secrets: Readonly<Record<string, string>> = KEYS, budgetMs = 8_000): CallContext {
  return callContext({ budgetMs, secrets: secretsOf(secrets) });
}

function error(code: string, httpStatus = 403, message = `${code} in the words of AWS`): AwsFault {
  return { kind: 'Error', httpStatus, code, message };
}

describe('AWS credentials', () => {
  const clock = createVirtualClock(new Date().toISOString());
  let aws: AwsStandIn;
  let sets: AwsCredentialSets;
  let directory: string;
  isolateAwsEnvironment();
  beforeEach(async () => {
    aws = await startAwsStandIn({ clock });
    sets = createAwsCredentials(clock);
    directory = mkdtempSync(join(tmpdir(), 'counterpoise-'));
  });
  afterEach(async () => {
    rmSync(directory, { recursive: true });
    await aws.stop();
  });

  const file = (name: string, text: string): string => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  };
  const environment = (variables: Readonly<Record<string, string>> = {}): void =>
    setAwsEnvironment({ AWS_ENDPOINT_URL_STS: aws.url, ...variables });
  const irsa = (token = 'token 1'): string => {
    const path = file('web-identity', token);
    aws.tokens = ['token 1'];
    environment({ AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/pod', AWS_WEB_IDENTITY_TOKEN_FILE: path });
    return path;
  };
  const podIdentity = (token = 'token 1'): string => {
    const path = file('eks-pod-identity-token', token);
    aws.tokens = ['token 1'];
    environment({
      AWS_CONTAINER_CREDENTIALS_FULL_URI: aws.agentUrl,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: path,
    });
    return path;
  };

  async function setOf(auth: Partial<AwsAuth>, calls = context(), region?: string): Promise<CredentialSet> {
    const set = await sets.of({ base: FROM_PROCESS, role: undefined, ...auth }, region, calls);
    assert.ok(set.ok, `expected a set, got ${JSON.stringify(set)}`);
    return set.value;
  }
  async function read(
    auth: Partial<AwsAuth>,
    calls = context(),
  ): Promise<Result<AwsCredentials, CredentialFailure>> {
    const set = await sets.of({ base: FROM_PROCESS, role: undefined, ...auth }, 'eu-west-1', calls);
    return set.ok ? set.value.current(calls.deadline) : set;
  }
  async function keyOf(auth: Partial<AwsAuth>, calls = context()): Promise<string> {
    const result = await read(auth, calls);
    assert.ok(result.ok, `expected credentials, got ${JSON.stringify(result)}`);
    return result.value.accessKeyId;
  }
  async function failureOf(auth: Partial<AwsAuth>, calls = context()): Promise<readonly [string, string]> {
    const result = await read(auth, calls);
    assert.ok(!result.ok, 'expected a failure');
    return [result.error.reason, result.error.message];
  }

  describe('of a Secret', () => {
    it('are its keys, without the line break at the end', async () => {
      const secrets = {
        'aws/id': 'ASIAEXAMPLE\n',
        'aws/secret': ' SecretOfSecret',
        'aws/token': 'Token\r\n',
      };
      assert.deepEqual(await read({ base: WITH_TOKEN }, context(secrets)), {
        ok: true,
        value: { accessKeyId: 'ASIAEXAMPLE', secretAccessKey: 'SecretOfSecret', sessionToken: 'Token' },
      });
    });

    it('are one set for equal keys, and another one for others', async () => {
      const first = await setOf({ base: SECRET_KEYS });
      const again = await setOf({ base: SECRET_KEYS });
      const rotated = await setOf({ base: SECRET_KEYS }, context({ ...KEYS, 'aws/secret': 'NewSecret' }));
      assert.equal(first.key, again.key);
      assert.notEqual(first.key, rotated.key);
      assert.doesNotMatch(first.key, /AKIA|Secret/);
    });

    const rows: readonly {
      name: string;
      secrets: Readonly<Record<string, string>>;
      base?: AwsBase;
      failure: readonly [string, string];
    }[] = [
      { name: 'is missing', secrets: {}, failure: ['SecretMissing', 'Secret aws does not exist'] },
      {
        name: 'has no session token where one is named',
        secrets: KEYS,
        base: WITH_TOKEN,
        failure: ['SecretMissing', 'Secret aws does not exist'],
      },
      {
        name: 'has an empty value',
        secrets: { ...KEYS, 'aws/secret': ' \n' },
        failure: [
          'InvalidCredentials',
          'Secret aws has no AWS key under "secret": expected one word of ASCII characters',
        ],
      },
      {
        name: 'has a whole file under the key',
        secrets: { ...KEYS, 'aws/id': 'aws_access_key_id = AKIA\naws_secret_access_key = abc' },
        failure: [
          'InvalidCredentials',
          'Secret aws has no AWS key under "id": expected one word of ASCII characters',
        ],
      },
      {
        name: 'has temporary keys, which begin with ASIA (IAM User Guide, "IAM identifiers"), and no token is named',
        secrets: { ...KEYS, 'aws/id': 'ASIAEXAMPLE' },
        failure: [
          'InvalidCredentials',
          'Secret aws has a temporary access key under "id", which needs its session token; name it by sessionTokenSecretRef',
        ],
      },
    ];
    for (const { name, secrets, base = SECRET_KEYS, failure } of rows) {
      it(`fail without a call, in words without the value, when it ${name}`, async () => {
        assert.deepEqual(await failureOf({ base }, context(secrets)), failure);
        assert.equal(aws.calls.length, 0);
      });
    }
  });

  describe('of the process', () => {
    it('are those of the environment', async () => {
      environment({ AWS_ACCESS_KEY_ID: 'AKIAENV', AWS_SECRET_ACCESS_KEY: 's', AWS_SESSION_TOKEN: 't' });
      assert.equal(await keyOf({}), 'AKIAENV');
    });

    it('are those of the shared files, read again a minute later', async () => {
      const keys = (id: string): string =>
        `[default]\naws_access_key_id = ${id}\naws_secret_access_key = s\n`;
      environment({ AWS_SHARED_CREDENTIALS_FILE: file('credentials', keys('AKIAFILE1')) });
      assert.equal(await keyOf({}), 'AKIAFILE1');
      file('credentials', keys('AKIAFILE2'));
      assert.equal(await keyOf({}), 'AKIAFILE1');
      clock.advance(MINUTE);
      assert.equal(await keyOf({}), 'AKIAFILE2');
    });

    it('are those of a profile that assumes a role', async () => {
      const config = `[profile dns]\nrole_arn = ${ROLE_ARN}\nsource_profile = base\nexternal_id = ours\n[profile base]\naws_access_key_id = AKIAFILE\naws_secret_access_key = s\n`;
      environment({ AWS_CONFIG_FILE: file('config', config), AWS_PROFILE: 'dns' });
      assert.equal(await keyOf({}), 'ASIASESSION1');
      assert.equal(aws.calls[0]?.accessKeyId, 'AKIAFILE');
      assert.equal(aws.calls[0].parameters.get('ExternalId'), 'ours');
    });

    it('are those of the web identity token (EKS User Guide, "IAM roles for service accounts"), asked of the region of the object', async () => {
      irsa();
      assert.equal(await keyOf({}), 'ASIASESSION1');
      const [call] = aws.calls;
      assert.equal(call?.operation, 'AssumeRoleWithWebIdentity');
      assert.equal(call.parameters.get('RoleArn'), 'arn:aws:iam::123456789012:role/pod');
    });

    it('are those of the Pod Identity agent (EKS User Guide, "EKS Pod Identity")', async () => {
      podIdentity();
      assert.equal(await keyOf({}), 'ASIASESSION1');
      assert.deepEqual(
        aws.calls.map(({ operation, authorization }) => [operation, authorization]),
        [['Agent', 'token 1']],
      );
    });

    it('are those of the instance (EC2 User Guide, "Retrieve security credentials"), when nothing else has any', async () => {
      environment({ AWS_EC2_METADATA_DISABLED: 'false', AWS_EC2_METADATA_SERVICE_ENDPOINT: aws.url });
      assert.equal(await keyOf({}), 'ASIASESSION1');
    });

    for (const [name, setUp] of [
      ['web identity', irsa],
      ['Pod Identity', podIdentity],
    ] as const) {
      it(`are renewed with the ${name} token that the file has then`, async () => {
        const path = setUp();
        assert.equal(await keyOf({}), 'ASIASESSION1');
        aws.tokens = ['token 2'];
        writeFileSync(path, 'token 2');
        clock.advance(59 * MINUTE + 30_000);
        assert.equal(await keyOf({}), 'ASIASESSION2');
      });

      it(`say why a ${name} token is not accepted, and are had once it is`, async () => {
        const path = setUp('expired token');
        const [reason, message] = await failureOf({});
        assert.equal(reason, 'InvalidIdentityToken');
        assert.doesNotMatch(message, /expired token/);
        writeFileSync(path, 'token 1');
        assert.match(await keyOf({}), /^ASIASESSION/);
      });

      it(`say that the ${name} token file cannot be read`, async () => {
        rmSync(setUp());
        const [reason, message] = await failureOf({});
        assert.equal(reason, 'InvalidIdentityToken');
        assert.match(message, /token file( of the pod)? cannot be read \(ENOENT\)$/);
      });
    }

    const agentRows: readonly { name: string; fault: AwsFault; failure: readonly [string, string] }[] = [
      {
        name: 'gives no role (EKS Auth API Reference, AssumeRoleForPodIdentity, AccessDeniedException)',
        fault: error('AccessDeniedException', 400, 'Unauthorized Exception! EKS does not have permissions'),
        failure: [
          'AssumeRoleDenied',
          "the Pod Identity agent gives no role (AccessDeniedException); look at the association of the ServiceAccount and at the role's trust policy; it says: Unauthorized Exception! EKS does not have permissions",
        ],
      },
      {
        name: 'knows no association (ResourceNotFoundException)',
        fault: error('ResourceNotFoundException', 404, 'no association'),
        failure: [
          'AssumeRoleDenied',
          "the Pod Identity agent gives no role (ResourceNotFoundException); look at the association of the ServiceAccount and at the role's trust policy; it says: no association",
        ],
      },
      {
        name: 'finds the token expired (ExpiredTokenException)',
        fault: error('ExpiredTokenException', 400, 'expired'),
        failure: [
          'InvalidIdentityToken',
          'the Pod Identity agent does not accept the token of the pod (ExpiredTokenException); it says: expired',
        ],
      },
      {
        name: 'refuses for another reason',
        fault: error('ThrottlingException', 429, 'slow down'),
        failure: [
          'CredentialsError',
          'the Pod Identity agent answered with ThrottlingException; it says: slow down',
        ],
      },
      {
        name: 'fails',
        fault: { kind: 'Raw', httpStatus: 500, body: 'oops' },
        failure: ['CredentialsError', 'the Pod Identity agent answered with HTTP 500'],
      },
      {
        name: 'answers what is none',
        fault: { kind: 'Raw', httpStatus: 200, body: '{"hello": "world"}' },
        failure: ['CredentialsError', 'the Pod Identity agent gave no credentials that can be read'],
      },
      {
        name: 'closes the connection',
        fault: { kind: 'Reset' },
        failure: [
          'CredentialsUnreachable',
          'the Pod Identity agent closed the connection without an answer (ECONNRESET)',
        ],
      },
    ];
    for (const { name, fault, failure } of agentRows) {
      it(`say so when the Pod Identity agent ${name}`, async () => {
        podIdentity();
        aws.fail(fault, 9);
        assert.deepEqual(await failureOf({}), failure);
      });
    }

    it('come from the Pod Identity agent although it failed once', async () => {
      podIdentity();
      aws.fail({ kind: 'Reset' });
      assert.equal(await keyOf({}), 'ASIASESSION1');
    });

    const webRows: readonly { name: string; fault: AwsFault; failure: readonly [string, RegExp] }[] = [
      {
        name: 'finds the token expired (STS API Reference, AssumeRoleWithWebIdentity, ExpiredTokenException)',
        fault: error('ExpiredTokenException', 400),
        failure: ['InvalidIdentityToken', /does not accept the web identity token.*ExpiredToken/],
      },
      {
        name: 'has a claim rejected (IDPRejectedClaim)',
        fault: error('IDPRejectedClaim', 403),
        failure: ['InvalidIdentityToken', /IDPRejectedClaim/],
      },
      {
        name: 'does not let the pod assume the role',
        fault: error('AccessDenied', 403, 'Not authorized to perform sts:AssumeRoleWithWebIdentity'),
        failure: [
          'AssumeRoleDenied',
          /^the role of the pod may not be assumed; look at its trust policy and at the ServiceAccount; AWS says: Not authorized to perform sts:AssumeRoleWithWebIdentity$/,
        ],
      },
      {
        name: 'fails',
        fault: error('InternalFailure', 500),
        failure: [
          'CredentialsError',
          /^AWS STS answered the request for credentials with HTTP 500: InternalFailure$/,
        ],
      },
      {
        name: 'closes the connection',
        fault: { kind: 'Reset' },
        failure: ['CredentialsUnreachable', /^AWS STS closed the connection without an answer/],
      },
    ];
    for (const { name, fault, failure } of webRows) {
      it(`say so when STS ${name}`, async () => {
        irsa();
        aws.fail(fault, 9);
        const [reason, message] = await failureOf({});
        assert.equal(reason, failure[0], message);
        assert.match(message, failure[1]);
      });
    }

    it('say that the keys of a profile are not accepted', async () => {
      const config = `[default]\nrole_arn = ${ROLE_ARN}\nsource_profile = base\n[profile base]\naws_access_key_id = AKIAFILE\naws_secret_access_key = s\n`;
      environment({ AWS_CONFIG_FILE: file('config', config) });
      aws.refuse('AKIAFILE', 'InvalidClientTokenId');
      assert.deepEqual(await failureOf({}), [
        'InvalidCredentials',
        'AWS does not accept the credentials (InvalidClientTokenId); check the access key and its secret',
      ]);
    });

    it('say that there are none', async () => {
      environment();
      assert.deepEqual(await failureOf({}), [
        'NoCredentials',
        'no AWS credentials; name a Secret in auth.secretRef or give the pod a role',
      ]);
    });

    it('are not waited for longer than the deadline, and the connection is given up', async () => {
      irsa();
      aws.fail({ kind: 'Hang' }, 9);
      assert.deepEqual(await failureOf({}, context(KEYS, 60)), [
        'CredentialsTimeout',
        "the AWS credentials did not come within the hook's budget",
      ]);
      aws.heal();
      assert.equal(await keyOf({}), 'ASIASESSION1');
    });
  });

  describe('of an assumed role', () => {
    beforeEach(() => environment({ AWS_ACCESS_KEY_ID: 'AKIAENV', AWS_SECRET_ACCESS_KEY: 'SecretOfEnv' }));

    it('are asked of STS in the region of the object, by the base, with what the trust policy asks for', async () => {
      const role = { roleArn: ROLE_ARN, externalId: 'ours', sessionName: 'dns' };
      assert.deepEqual(await read({ base: SECRET_KEYS, role }), {
        ok: true,
        value: {
          accessKeyId: 'ASIASESSION1',
          secretAccessKey: 'SecretOfSessionKey1',
          sessionToken: 'SecretOfSessionToken1',
        },
      });
      const [call] = aws.calls;
      assert.deepEqual([call?.accessKeyId, call?.region], ['AKIAEXAMPLE', 'eu-west-1']);
      assert.deepEqual(Object.fromEntries(call?.parameters ?? []), {
        Action: 'AssumeRole',
        Version: '2011-06-15',
        RoleArn: ROLE_ARN,
        ExternalId: 'ours',
        RoleSessionName: 'dns',
      });
    });

    it('are asked of us-east-1 when nothing names a region', async () => {
      const set = await setOf({ role: ROLE });
      assert.ok((await set.current(startDeadline(8_000))).ok);
      assert.equal(aws.calls[0]?.region, 'us-east-1');
    });

    it('name the session after the object, in at most 64 characters that STS allows', async () => {
      const caller = `counterpoise-default-${'long-'.repeat(20)}`;
      for (const each of [caller, 'counterpoise-a b-c/d'])
        await keyOf({ role: ROLE }, callContext({ secrets: secretsOf(KEYS), caller: each }));
      assert.deepEqual(
        aws.calls.map(({ parameters }) => parameters.get('RoleSessionName')),
        [caller.slice(0, 64), 'counterpoise-a-b-c-d'],
      );
    });

    it('are shared by all that use the same role in the same way, and by nobody else', async () => {
      const named = { ...ROLE, sessionName: 'dns' };
      assert.equal(await keyOf({ role: named }), 'ASIASESSION1');
      assert.equal(await keyOf({ role: named }), 'ASIASESSION1');
      assert.equal(await keyOf({ role: { ...named, externalId: 'theirs' } }), 'ASIASESSION2');
      assert.equal(await keyOf({ base: SECRET_KEYS, role: named }), 'ASIASESSION3');
      const stolen = context({ ...KEYS, 'aws/secret': 'guessed' });
      assert.equal(await keyOf({ base: SECRET_KEYS, role: named }, stolen), 'ASIASESSION4');
    });

    it('are one set, to the budget of its account, for objects whose sessions have names of their own', async () => {
      const callers = ['counterpoise-a-one', 'counterpoise-b-two'];
      const asked = callers.map((caller) => callContext({ secrets: secretsOf(KEYS), caller }));
      const all = await Promise.all(asked.map((calls) => setOf({ role: ROLE }, calls)));
      const named = await setOf({ role: { ...ROLE, sessionName: 'dns' } });
      assert.equal(new Set([...all, named].map(({ key }) => key)).size, 1);
      const sessions = [];
      for (const set of [...all, named, ...all]) sessions.push(await set.current(startDeadline(8_000)));
      assert.equal(new Set(sessions.map((each) => each.ok && each.value.accessKeyId)).size, 3);
      assert.deepEqual(
        aws.calls.map(({ parameters }) => parameters.get('RoleSessionName')),
        [...callers, 'dns'],
      );
      const others = [
        { role: { ...ROLE, externalId: 'theirs' } },
        { role: { ...ROLE, roleArn: 'arn:aws:iam::999999999999:role/dns' } },
        { role: ROLE, base: SECRET_KEYS },
      ];
      for (const other of others) assert.notEqual((await setOf(other)).key, named.key);
    });

    it('are of two accounts at once', async () => {
      const other = { ...ROLE, roleArn: 'arn:aws:iam::999999999999:role/dns' };
      assert.deepEqual(
        await Promise.all([keyOf({ role: ROLE }), keyOf({ role: other }), keyOf({})]).then((keys) =>
          keys.map((key) => key.slice(0, 4)),
        ),
        ['ASIA', 'ASIA', 'AKIA'],
      );
    });

    it('are renewed before they end, and keep the name of the set', async () => {
      const set = await setOf({ role: ROLE });
      await set.current(startDeadline(8_000));
      clock.advance(59 * MINUTE + 30_000);
      assert.equal(await keyOf({ role: ROLE }), 'ASIASESSION2');
      assert.equal((await setOf({ role: ROLE })).key, set.key);
    });

    it('are asked for by the base of now: a web identity that was rotated', async () => {
      const path = irsa();
      await keyOf({ role: ROLE });
      aws.tokens = ['token 2'];
      writeFileSync(path, 'token 2');
      clock.advance(60 * MINUTE);
      await keyOf({ role: ROLE });
      assert.deepEqual(
        aws.calls.map(({ operation, accessKeyId }) => [operation, accessKeyId]),
        [
          ['AssumeRoleWithWebIdentity', undefined],
          ['AssumeRole', 'ASIASESSION1'],
          ['AssumeRoleWithWebIdentity', undefined],
          ['AssumeRole', 'ASIASESSION3'],
        ],
      );
    });

    for (const code of ['ExpiredToken', 'InvalidClientTokenId'] as const) {
      it(`are asked for once more by a newer base when STS says ${code}`, async () => {
        irsa();
        await keyOf({});
        aws.refuse('ASIASESSION1', code);
        assert.equal(await keyOf({ role: ROLE }), 'ASIASESSION3');
      });
    }

    const rows: readonly { name: string; fault: AwsFault; failure: readonly [string, string] }[] = [
      {
        name: 'denies it, without the session of the caller, which is another one each hour',
        fault: error(
          'AccessDenied',
          403,
          `User: arn:aws:sts::123456789012:assumed-role/pod/aws-sdk-js-session-1767225600000 is not authorized to perform: sts:AssumeRole on resource: ${ROLE_ARN}`,
        ),
        failure: [
          'AssumeRoleDenied',
          `sts:AssumeRole is not allowed; look at the role's trust policy, its external id included; AWS says: User: arn:aws:sts::123456789012:assumed-role/pod is not authorized to perform: sts:AssumeRole on resource: ${ROLE_ARN}`,
        ],
      },
      {
        name: 'does not know the key',
        fault: error('InvalidClientTokenId'),
        failure: [
          'InvalidCredentials',
          'AWS does not accept the credentials (InvalidClientTokenId); check the access key and its secret',
        ],
      },
      {
        name: 'finds the signature wrong',
        fault: error('SignatureDoesNotMatch'),
        failure: [
          'InvalidCredentials',
          'AWS does not accept the credentials (SignatureDoesNotMatch); check the access key and its secret',
        ],
      },
      {
        name: 'finds the keys of the base expired',
        fault: error('ExpiredToken'),
        failure: [
          'ExpiredToken',
          'the AWS credentials have expired (ExpiredToken); renew them, and check the clock',
        ],
      },
      {
        name: 'is not activated in the region (STS API Reference, AssumeRole, RegionDisabledException)',
        fault: error('RegionDisabledException', 403, 'STS is not activated in this region'),
        failure: [
          'CredentialsError',
          'AWS STS answered sts:AssumeRole with HTTP 403: RegionDisabledException; AWS says: STS is not activated in this region',
        ],
      },
      {
        name: 'fails',
        fault: error('InternalFailure', 500),
        failure: ['CredentialsError', 'AWS STS answered sts:AssumeRole with HTTP 500: InternalFailure'],
      },
      {
        name: 'answers nothing that is a session',
        fault: { kind: 'Raw', httpStatus: 200, body: '<AssumeRoleResponse></AssumeRoleResponse>' },
        failure: [
          'CredentialsError',
          'the answer to sts:AssumeRole cannot be read: it is not one of AWS STS',
        ],
      },
      {
        name: 'closes the connection',
        fault: { kind: 'Reset' },
        failure: ['CredentialsUnreachable', 'AWS STS closed the connection without an answer (ECONNRESET)'],
      },
    ];
    for (const { name, fault, failure } of rows) {
      it(`say so when STS ${name}`, async () => {
        aws.fail(fault, 9);
        assert.deepEqual(await failureOf({ role: ROLE }), failure);
      });
    }

    it('are had in spite of one answer that did not come', async () => {
      aws.fail({ kind: 'Reset' });
      assert.equal(await keyOf({ role: ROLE }), 'ASIASESSION1');
    });

    it('delay only those that need the same: a slow STS ends with the deadline', async () => {
      aws.fail({ kind: 'Hang' });
      const slow = failureOf({ role: ROLE }, context(KEYS, 100));
      assert.equal(await keyOf({ base: SECRET_KEYS }), 'AKIAEXAMPLE');
      assert.equal(await keyOf({ role: { ...ROLE, sessionName: 'another' } }), 'ASIASESSION1');
      assert.deepEqual(await slow, [
        'CredentialsTimeout',
        "the AWS credentials did not come within the hook's budget",
      ]);
    });
  });

  it('reach STS at AWS_ENDPOINT_URL, where no other endpoint is set', async () => {
    setAwsEnvironment({
      AWS_ENDPOINT_URL: aws.url,
      AWS_ACCESS_KEY_ID: 'AKIAENV',
      AWS_SECRET_ACCESS_KEY: 's',
    });
    assert.equal(await keyOf({ role: ROLE }), 'ASIASESSION1');
  });
});
