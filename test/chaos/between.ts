import { mkdir } from 'node:fs/promises';
import { startFaultProxy, type FaultProxy } from '../support/fault-proxy.ts';
import { secret, type KubernetesStandIn } from '../support/kubernetes-stand-in.ts';
import type { Identity } from '../support/certificates.ts';
import { startService, type Service } from '../support/service.ts';
import { weightedRecord } from '../support/weighted-record.ts';
import { rebalance, type Rebalance, type SyncAnswer } from '../e2e/rebalance.ts';
import { createZone, roleOf, sessionIn, TEST_ENVIRONMENT, type Zone } from '../e2e/zone.ts';
import type { Outside } from './outside.ts';

/** What the hook's sync may take, as the service is told. */
export const BUDGET_MS = 8_000;

/** What Metacontroller's own timeout leaves beyond the hook's budget, by default: 10 s and 8 s. */
export const MARGIN_MS = 2_000;
/** The service as a process, and a fault proxy before each of those whom it asks. */
export interface Between {
  readonly service: Service;
  /** Another process of the same service, for one that was killed. */
  startService(): Promise<Service>;
  readonly kubernetes: FaultProxy;
  readonly prometheus: FaultProxy;
  /** Route 53 and STS. */
  readonly aws: FaultProxy;
  stop(): Promise<void>;
}

export interface BetweenParts {
  readonly directory: string;
  readonly outside: Outside;
  readonly api: KubernetesStandIn;
  /** All three proxies speak TLS with it; undefined: plain HTTP. */
  readonly tls?: { readonly identity: Identity; readonly ca: Identity } | undefined;
}

export async function startBetween({ directory, outside, api, tls }: BetweenParts): Promise<Between> {
  await mkdir(directory, { recursive: true });
  const options = tls === undefined ? {} : { identity: tls.identity };
  const [kubernetes, prometheus, aws] = await Promise.all([
    startFaultProxy(api.url, options),
    startFaultProxy(outside.prometheus.url, options),
    startFaultProxy(outside.moto.url, options),
  ]);
  const kubeconfig = api.kubeconfig(directory, { url: kubernetes.url, caFile: tls?.ca.certFile });
  const start = (): Promise<Service> =>
    startService({
      directory,
      flags: [
        `--hook-budget=${BUDGET_MS / 1000}s`,
        '--min-interval=1s',
        `--kubeconfig=${kubeconfig}`,
        `--route53-endpoint=${aws.url}`,
      ],
      env: {
        ...TEST_ENVIRONMENT,
        AWS_ENDPOINT_URL_STS: aws.url,
        ...(tls === undefined ? {} : { NODE_EXTRA_CA_CERTS: tls.ca.certFile }),
      },
    });
  const service = await start();
  const stop = async (): Promise<void> => {
    await Promise.all([service, kubernetes, prometheus, aws].map((part) => part.stop()));
  };
  return { service, startService: start, kubernetes, prometheus, aws, stop };
}

/** The weight that every object here begins with, and the one that its metric asks for. */
export const OLD = 5;
export const NEW = 16;

/** The one series; each object selects it by a query of its own. */
export const SERIES = { name: 'chaos_demand', value: '3000' } as const;

/** One Rebalance with a zone in an account of its own, a query of its own and a Secret of its own. */
export interface Subject {
  readonly zone: Zone;
  readonly query: string;
  readonly account: string;
  readonly secretPath: string;
  readonly path: string;
  /** As it stands in the cluster, with the status that the last answer left. */
  readonly object: () => Rebalance;
  /** Edits what is in the cluster. */
  readonly edit: (change: (object: Rebalance) => Rebalance) => void;
}

/** Puts an object into the cluster, and its records into DNS. `number` names all that is its own. */
export async function createSubject(
  number: number,
  { outside, api, between }: { outside: Outside; api: KubernetesStandIn; between: Between },
): Promise<Subject> {
  const name = `s${number}`;
  const record = `www.${name}.example`;
  const account = String(100_000_000_000 + number);
  const query = `${SERIES.name} + 0 * ${number}`;
  const motoUrl = outside.moto.url;
  const zone = await createZone(motoUrl, `${name}.example`, await sessionIn(motoUrl, account));
  await zone.put(weightedRecord(`${record}.`, 'own', OLD), weightedRecord(`${record}.`, 'reference', 8));
  const secretPath = `/api/v1/namespaces/default/secrets/${name}`;
  api.put(secretPath, secret(name, { user: 'monitor', password: 'correct horse' }));
  const path = `/apis/rebalancer.ch1aki.github.io/v1/namespaces/default/rebalances/${name}`;
  const key = (of: string): object => ({ name, key: of });
  let object = rebalance({
    name,
    targettracking: { baseValue: 8, targetValue: 1000 },
    prometheus: {
      address: between.prometheus.url,
      query,
      timeout: 3,
      auth: { secretRef: { userSecretRef: key('user'), passwordSecretRef: key('password') } },
    },
    zoneId: zone.id,
    record: { name: record, type: 'A', identifier: 'own' },
    awsAuth: { assumeRole: { roleARN: roleOf(account) } },
    others: { interval: '1m' },
  });
  const edit: Subject['edit'] = (change) => {
    object = change(object);
    api.put(path, object);
  };
  edit((same) => same);
  return { zone, query, account, secretPath, path, object: () => object, edit };
}

/** What one sync came to. */
export interface Synced {
  readonly httpStatus: number;
  /** The answer, or the line that a refusal is. */
  readonly answer: SyncAnswer | undefined;
  readonly line: string;
  readonly tookMs: number;
}

/** One sync as Metacontroller makes it: the object is posted, and the status of a 200 is written to the cluster. */
export async function syncOnce({ url }: Pick<Service, 'url'>, subject: Subject): Promise<Synced> {
  const beganMs = performance.now();
  const parent = subject.object();
  const response = await fetch(`${url}/rebalance/sync`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ controller: {}, parent, children: {}, related: {}, finalizing: false }),
  });
  const line = await response.text();
  const tookMs = performance.now() - beganMs;
  const answer = response.status === 200 ? (JSON.parse(line) as SyncAnswer) : undefined;
  if (answer !== undefined) subject.edit((object) => ({ ...object, status: answer.status }));
  return { httpStatus: response.status, answer, line, tookMs };
}

/** Lets the interval pass, and ten seconds after a poll: whatever the status remembers happened a minute earlier. */
export function letTimePass({ edit }: Subject): void {
  edit(({ status, ...object }) =>
    status === undefined ? object : { ...object, status: earlier(status) as typeof status },
  );
}

const MINUTE_MS = 60_000;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function earlier(value: unknown): unknown {
  if (typeof value === 'string' && TIME.test(value))
    return new Date(Date.parse(value) - MINUTE_MS).toISOString().replace(/\.\d+Z$/, 'Z');
  if (Array.isArray(value)) return value.map(earlier);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, earlier(inner)]));
}
