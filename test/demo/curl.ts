import { ZONE } from './zone.ts';

/** Where `make start-hooks` listens on loopback. */
export interface Ports {
  readonly hooks: number;
  readonly prometheus: number;
  readonly route53: number;
}

export const DEFAULT_PORTS: Ports = { hooks: 8080, prometheus: 19_090, route53: 15_353 };

/** Three lines to try while `make start-hooks` runs: a Balancer, a Rebalance, and the record that the latter has written. */
export function curlLines({ hooks, prometheus, route53 }: Ports): readonly string[] {
  const post = (hook: string): string => {
    const file = `test/demo/requests/${hook}.json`;
    const url = `http://127.0.0.1:${hooks}/${hook}/sync`;
    const curl = `curl -s ${url} -H 'Content-Type: application/json' -d`;
    // The address in the file is that of the default port.
    return hook === 'balancer' || prometheus === DEFAULT_PORTS.prometheus
      ? `${curl} @${file}`
      : `sed s/${DEFAULT_PORTS.prometheus}/${prometheus}/ ${file} | ${curl} @-`;
  };
  const rrset = `http://127.0.0.1:${route53}/2013-04-01/hostedzone/${ZONE}/rrset?name=example.com&type=A`;
  return [post('balancer'), post('rebalance'), `curl -s '${rrset}'`];
}
