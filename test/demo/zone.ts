import type { Route53StandIn } from '../support/route53-stand-in.ts';

export const ZONE = 'Z0123456789DEMO';
/** The query of the README sample. */
export const QUERY = 'scalar(sum(rate(http_requests_total[1m])))';

/** The records that the samples name, each beside the one of the site on premises. */
export function fillZone(route53: Route53StandIn): void {
  route53.createZone(ZONE, 'example.com');
  const sets = [
    { name: 'example.com', type: 'A', weights: { onprem: 8, aws: 8 } },
    { name: 'media.example.com', type: 'A', weights: { onprem: 64, 'aws-tokyo': 48, 'aws-osaka': 16 } },
    { name: '*.example.com', type: 'AAAA', weights: { onprem: 64, aws: 64 } },
    ...[
      'static',
      'www',
      'api',
      'app',
      'shop',
      'old',
      'tls',
      'oauth2',
      'sigv4',
      'shared',
      'partner',
      'live',
    ].map((host) => ({
      name: `${host}.example.com`,
      type: 'A',
      weights: { onprem: 64, aws: 64 },
    })),
  ];
  for (const { name, type, weights } of sets) {
    for (const [identifier, weight] of Object.entries(weights)) {
      route53.putRecord(ZONE, {
        Name: name,
        Type: type,
        SetIdentifier: identifier,
        Weight: weight,
        TTL: 60,
        ResourceRecords: [{ Value: type === 'A' ? '192.0.2.1' : '2001:db8::1' }],
      });
    }
  }
}
