import { wireSpec } from '../../../support/rebalance.ts';
import { CLIENT, PROMETHEUS, withPart, type Refused, type Wire } from '../../../support/rebalance-wire.ts';

/** The example over TLS. */
function withTls(tls: Wire): Wire {
  return {
    ...wireSpec(),
    metrics: { prometheus: { address: 'https://prometheus', query: 'load', tls } },
  };
}

/** The example with a token of OAuth2. */
function withOAuth2(more: Wire): Wire {
  const oauth2 = { tokenURL: 'https://login/token', ...CLIENT, ...more };
  return withPart(`${PROMETHEUS}.auth`, { oauth2 });
}

/** What is wrong with the credentials and the TLS of a query. */
export const refusedAccess: readonly Refused[] = [
  {
    name: 'a Secret that no Secret is called',
    spec: withPart(`${PROMETHEUS}.auth`, {
      secretRef: {
        userSecretRef: { name: 'A B', key: 'user' },
        passwordSecretRef: { name: 'prometheus', key: 'a/b', namespace: 'Other' },
      },
    }),
    problems: [
      'spec.metrics.prometheus.auth.secretRef.userSecretRef.name: expected the name of a Secret: lower case letters, digits, "-" and "."',
      'spec.metrics.prometheus.auth.secretRef.passwordSecretRef.key: expected a key of a Secret: letters, digits, "-", "_" and "."',
      'spec.metrics.prometheus.auth.secretRef.passwordSecretRef.namespace: expected the name of a namespace: lower case letters, digits and "-"',
    ],
  },
  {
    name: 'two kinds of credentials for Prometheus',
    spec: withPart(`${PROMETHEUS}.auth`, {
      bearerTokenSecretRef: { name: 'p', key: 'token' },
      secretRef: {
        userSecretRef: { name: 'p', key: 'user' },
        passwordSecretRef: { name: 'p', key: 'password' },
      },
    }),
    problems: [
      'spec.metrics.prometheus.auth: expected at most one of secretRef, bearerTokenSecretRef, oauth2, sigv4',
    ],
  },
  {
    name: 'TLS settings of a token server without TLS',
    spec: withOAuth2({ tokenURL: 'http://login/token', tls: {} }),
    problems: ['spec.metrics.prometheus.auth.oauth2: tls is for an https tokenURL'],
  },
  {
    name: 'a token URL that cannot be read',
    spec: withOAuth2({ tokenURL: 'http://[::1/token' }),
    problems: ['spec.metrics.prometheus.auth.oauth2: expected a tokenURL that can be read as a URL'],
  },
  ...['login/token', 'http://id:secret@login/token', 'ftp://login'].map((tokenURL) => ({
    name: `a token URL that is none: ${tokenURL}`,
    spec: withOAuth2({ tokenURL }),
    problems: [
      'spec.metrics.prometheus.auth.oauth2.tokenURL: expected an address such as https://login.example.com/oauth2/token',
    ],
  })),
  {
    name: 'a parameter of a token request that other fields say',
    spec: withOAuth2({ endpointParams: { client_secret: 'x' } }),
    problems: [
      'spec.metrics.prometheus.auth.oauth2.endpointParams: expected no grant_type, scope, client_id, client_secret: other fields say them',
    ],
  },
  {
    name: 'too many parameters of a token request',
    spec: withOAuth2({
      endpointParams: Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`p${n}`, 'a'])),
    }),
    problems: ['spec.metrics.prometheus.auth.oauth2.endpointParams: expected at most 32 keys'],
  },
  {
    name: 'a scope that is two',
    spec: withOAuth2({ scopes: ['a b'] }),
    problems: [
      'spec.metrics.prometheus.auth.oauth2.scopes[0]: expected a scope: ASCII without spaces, quotes and "\\"',
    ],
  },
  {
    name: 'signed queries without a region',
    spec: withPart(`${PROMETHEUS}.auth`, { sigv4: {} }),
    problems: ['spec.metrics.prometheus.auth.sigv4.region: is required'],
  },
  {
    name: 'a client certificate without its key',
    spec: withTls({ certSecretRef: { name: 'p', key: 'tls.crt' } }),
    problems: ['spec.metrics.prometheus.tls: certSecretRef and keySecretRef need each other'],
  },
  {
    name: 'a CA that nobody looks at',
    spec: withTls({ caSecretRef: { name: 'p', key: 'ca.crt' }, insecureSkipVerify: true }),
    problems: ['spec.metrics.prometheus.tls: caSecretRef means nothing with insecureSkipVerify'],
  },
  {
    name: 'a server name that is none',
    spec: withTls({ serverName: 'a b' }),
    problems: ['spec.metrics.prometheus.tls.serverName: expected a host name'],
  },
  {
    name: 'TLS settings without TLS',
    spec: withPart(`${PROMETHEUS}.tls`, { serverName: 'prometheus' }),
    problems: ['spec.metrics.prometheus: tls is for an https address'],
  },
];
