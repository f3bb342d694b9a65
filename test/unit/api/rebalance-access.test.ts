import assert from 'node:assert/strict';
import { SECRET_KEYS } from '../../support/aws-keys.ts';
import { readSpec, wireSpec } from '../../support/rebalance.ts';
import { CLIENT, ROUTE53, withPart, type Wire } from '../../support/rebalance-wire.ts';

describe('the AWS credentials of a spec', () => {
  const keys = {
    accessKeyIDSecretRef: { name: 'aws', key: 'id' },
    secretAccessKeySecretRef: { name: 'aws', key: 'secret' },
  };
  const roleARN = 'arn:aws-cn:iam::123456789012:role/service/dns+route=53,a.b@c_d';
  const rows: readonly (readonly [string, unknown, unknown])[] = [
    [
      'are keys with the token of a session',
      { secretRef: { ...keys, sessionTokenSecretRef: { name: 'aws', key: 'token' } } },
      { base: { ...SECRET_KEYS, sessionToken: { name: 'aws', key: 'token' } }, role: undefined },
    ],
    [
      'are a role of any partition and path, assumed by what the process finds',
      { assumeRole: { roleARN } },
      {
        base: { kind: 'DefaultChain' },
        role: { roleArn: roleARN, externalId: undefined, sessionName: undefined },
      },
    ],
    [
      'are a role, assumed by keys, with all that a trust policy may ask for',
      { secretRef: keys, assumeRole: { roleARN, externalID: 'a:b/c', sessionName: 'dns@site' } },
      { base: SECRET_KEYS, role: { roleArn: roleARN, externalId: 'a:b/c', sessionName: 'dns@site' } },
    ],
  ];
  for (const [name, auth, expected] of rows)
    it(name, () => assert.deepEqual(readSpec(withPart(`${ROUTE53}.auth`, auth)).target.auth, expected));
});

describe('the way to Prometheus of a spec', () => {
  const read = (more: Wire) => {
    const prometheus = { address: 'https://prometheus', query: 'load', ...more };
    return readSpec({ ...wireSpec(), metrics: { prometheus } }).metric;
  };
  const cert = { name: 'client', key: 'tls.crt' };
  const key = { name: 'client', key: 'tls.key' };

  it('has a bearer token', () => {
    const token = { name: 'p', key: 'token' };
    assert.deepEqual(read({ auth: { bearerTokenSecretRef: token } }).auth, { kind: 'Bearer', token });
  });

  it('has a token of OAuth2, of no scope and by plain trust where nothing else is said', () => {
    const bare = { tokenURL: 'https://login/token', ...CLIENT };
    const expected = {
      kind: 'OAuth2',
      tokenUrl: 'https://login/token',
      clientId: CLIENT.clientIDSecretRef,
      clientSecret: CLIENT.clientSecretSecretRef,
      scopes: [],
      endpointParams: {},
      tls: undefined,
    };
    assert.deepEqual(read({ auth: { oauth2: bare } }).auth, expected);
    const more = { scopes: ['a', 'b'], endpointParams: { audience: 'p' } };
    assert.deepEqual(read({ auth: { oauth2: { ...bare, ...more } } }).auth, { ...expected, ...more });
  });

  it("is signed with the object's own AWS credentials, whose role sigv4 may replace", () => {
    const roleOf = (name: string) => ({ roleARN: `arn:aws:iam::123456789012:role/${name}` });
    const authOf = (sigv4: Wire) => {
      const { auth } = readSpec({
        ...withPart(`${ROUTE53}.auth`, { assumeRole: roleOf('dns') }),
        metrics: { prometheus: { address: 'https://aps', query: 'load', auth: { sigv4 } } },
      }).metric;
      assert.ok(auth.kind === 'SigV4');
      return [auth.region, auth.aws.base.kind, auth.aws.role?.roleArn];
    };
    const base = ['eu-west-1', 'DefaultChain'];
    assert.deepEqual(authOf({ region: 'eu-west-1' }), [...base, roleOf('dns').roleARN]);
    assert.deepEqual(authOf({ region: 'eu-west-1', assumeRole: roleOf('amp') }), [
      ...base,
      roleOf('amp').roleARN,
    ]);
  });

  it('has the TLS that is said, and believes no unknown certificate by default', () => {
    assert.deepEqual(read({ tls: {} }).tls, {
      ca: undefined,
      clientCertificate: undefined,
      serverName: undefined,
      insecureSkipVerify: false,
    });
    const caSecretRef = { name: 'ca', key: 'ca.crt' };
    assert.deepEqual(
      read({ tls: { caSecretRef, certSecretRef: cert, keySecretRef: key, serverName: 'p.example' } }).tls,
      {
        ca: caSecretRef,
        clientCertificate: { cert, key },
        serverName: 'p.example',
        insecureSkipVerify: false,
      },
    );
  });
});
