import assert from 'node:assert/strict';
import {
  agentFailure,
  assumeRoleFailure,
  awsWords,
  chainFailure,
  describeConnection,
} from '../../../../src/rebalance/aws/failures.ts';

describe('a failure of AWS credentials', () => {
  it('quotes AWS without names of sessions, which change by themselves', () => {
    assert.equal(
      awsWords(
        'User: arn:aws:sts::123456789012:assumed-role/pod/eks-a-b-4f1c, and arn:aws-cn:sts::1:assumed-role/x/y; on arn:aws:iam::1:role/a/b',
      ),
      'User: arn:aws:sts::123456789012:assumed-role/pod, and arn:aws-cn:sts::1:assumed-role/x; on arn:aws:iam::1:role/a/b',
    );
  });

  it('says of a connection what is known of its code', () => {
    assert.equal(describeConnection('ENOTFOUND'), 'has a host name that does not resolve (ENOTFOUND)');
    assert.equal(describeConnection('EPROTO'), 'cannot be reached (EPROTO)');
  });

  const denied = { name: 'AccessDenied', message: 'no' };
  const rows: readonly (readonly [string, { readonly reason: string; readonly message: string }, string])[] =
    [
      [
        'is one of STS whatever was thrown',
        assumeRoleFailure('a text'),
        'CredentialsError: AWS STS answered sts:AssumeRole with an error: unknown error',
      ],
      [
        'is one of STS when nothing was thrown',
        chainFailure(undefined),
        'CredentialsError: AWS STS answered the request for credentials with an error: unknown error',
      ],
      [
        'is one of the agent when nothing was thrown',
        agentFailure(undefined),
        'CredentialsError: the Pod Identity agent gave no credentials that can be read',
      ],
      [
        'is one of the agent without words',
        agentFailure({ Code: 'InvalidTokenException' }),
        'InvalidIdentityToken: the Pod Identity agent does not accept the token of the pod (InvalidTokenException)',
      ],
      [
        'is an agent that is not there',
        agentFailure({ message: 'Error: connect ECONNREFUSED 169.254.170.23:80' }),
        'CredentialsUnreachable: the Pod Identity agent refused the connection (ECONNREFUSED)',
      ],
      [
        'is an agent that is slow',
        agentFailure({ message: 'TimeoutError: Connection timed out after 1000 ms' }),
        'CredentialsUnreachable: the Pod Identity agent did not answer in time (ETIMEDOUT)',
      ],
      [
        'is a token file that may not be read',
        agentFailure({ code: 'EACCES', message: 'EACCES: permission denied' }),
        'InvalidIdentityToken: the Pod Identity token file cannot be read (EACCES)',
      ],
      [
        'is a host name that does not resolve',
        assumeRoleFailure({ name: 'Error', code: 'ENOTFOUND' }),
        'CredentialsUnreachable: AWS STS has a host name that does not resolve (ENOTFOUND)',
      ],
      [
        'is a connection that ends in the middle of an answer',
        assumeRoleFailure({ name: 'Error', code: 'ECONNRESET', $metadata: { httpStatusCode: 200 } }),
        'CredentialsUnreachable: AWS STS closed the connection without an answer (ECONNRESET)',
      ],
      [
        'has the code of the service, not that of a connection, where there is an answer',
        assumeRoleFailure({ ...denied, code: 'ECONNRESET', $metadata: { httpStatusCode: 403 } }),
        "AssumeRoleDenied: sts:AssumeRole is not allowed; look at the role's trust policy, its external id included; AWS says: no",
      ],
    ];
  for (const [name, { reason, message }, expected] of rows)
    it(name, () => assert.equal(`${reason}: ${message}`, expected));

  it('never quotes what a credential process or a profile said', () => {
    const thrown = {
      name: 'CredentialsProviderError',
      message: 'command "get-key --password hunter2" failed',
    };
    assert.deepEqual(chainFailure(thrown), {
      reason: 'NoCredentials',
      message: 'no AWS credentials; name a Secret in auth.secretRef or give the pod a role',
    });
  });
});
