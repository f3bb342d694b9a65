import { Readable } from 'node:stream';
import {
  ListResourceRecordSetsCommand,
  Route53Client,
  type Route53ClientConfig,
} from '@aws-sdk/client-route-53';
import {
  createAccount,
  refuse,
  toCall,
  type Answer,
  type Operation,
  type Route53Call,
  type Route53StandIn,
} from './route53-stand-in.ts';
import type { VirtualTime } from './virtual-clock.ts';

/** A request as Route 53 got it. */
export interface SeenCall extends Route53Call {
  readonly atMs: number;
  readonly httpStatus: number;
  /** What was refused, in AWS' word; empty for what was done. */
  readonly code: string;
}

/** A Route 53 of one account in virtual time: the same zones as the stand-in, without HTTP, with the account's quota. */
export interface VirtualRoute53 extends Pick<
  Route53StandIn,
  'createZone' | 'putRecord' | 'records' | 'record' | 'protect'
> {
  /** What the SDK's client sends its requests through. */
  readonly requestHandler: NonNullable<Route53ClientConfig['requestHandler']>;
  readonly calls: readonly SeenCall[];
  count(operation: Operation): number;
  /** The most requests that came in any second. */
  peakPerSecond(): number;
}

export interface VirtualRoute53Options {
  readonly time: VirtualTime;
  /** Developer Guide, "Quotas": five requests a second, for a whole account. */
  readonly quotaPerSecond?: number;
  /** How long a request travels, each way. */
  readonly latencyMs?: number;
  /** How long a zone is busy with a change: another one meanwhile is refused as PriorRequestNotComplete. */
  readonly changeMs?: number;
  /** How long a change is PENDING. */
  readonly pendingMs?: number;
  /** Most records of a page. */
  readonly pageLimit?: number;
}

export function createVirtualRoute53(options: VirtualRoute53Options): VirtualRoute53 {
  const { time, quotaPerSecond = 5, latencyMs = 25, changeMs = 200, pendingMs = 30_000 } = options;
  const { pageLimit = 300 } = options;
  const { answer, ...zones } = createAccount({ pendingPolls: 0, pendingMs, pageLimit, clock: time });
  const calls: SeenCall[] = [];
  const busyUntilMs = new Map<string, number>();

  /** Quota and busy zones first; what passes is answered after its time. */
  const receive = async (call: Route53Call, signal: AbortSignal | undefined): Promise<Answer> => {
    const atMs = time.nowMs();
    const see = (answered: Answer): Answer => {
      const code = /<Code>(\w+)<\/Code>/.exec(answered.body)?.[1] ?? '';
      calls.push({ ...call, atMs, httpStatus: answered.httpStatus, code });
      return answered;
    };
    const recent = calls.filter((seen) => seen.atMs > atMs - 1_000).length;
    if (recent >= quotaPerSecond) return see(THROTTLED);
    if (call.operation !== 'ChangeResourceRecordSets') return see(answer(call));
    if ((busyUntilMs.get(call.id) ?? 0) > atMs) return see(ZONE_BUSY);
    busyUntilMs.set(call.id, atMs + changeMs);
    const answered = see(answer(call));
    await time.sleep(changeMs, signal);
    return answered;
  };

  return {
    ...zones,
    calls,
    count: (operation) => calls.filter((call) => call.operation === operation).length,
    peakPerSecond: () => peakPerSecond(calls.map(({ atMs }) => atMs)),
    requestHandler: {
      handle: async (request: SdkRequest, { abortSignal }: { readonly abortSignal?: AbortSignal } = {}) => {
        const { method, path, query = {}, headers, body } = request;
        const url = new URL(path, 'http://route53');
        for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
        await time.sleep(latencyMs, abortSignal);
        const call = toCall({ method, url, headers, body: body ?? '' });
        if (call === undefined) throw new Error(`no call of Route 53: ${method} ${path}`);
        const answered = await receive(call, abortSignal);
        await time.sleep(latencyMs, abortSignal);
        return {
          response: {
            statusCode: answered.httpStatus,
            headers: { 'content-type': 'text/xml' },
            body: Readable.from([Buffer.from(answered.body)]),
          },
        };
      },
    },
  };
}

interface SdkRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** APIReference, "Common Error Types", and the errors of ChangeResourceRecordSets. */
const THROTTLED = refuse(400, 'Throttling', 'Rate exceeded');
const ZONE_BUSY = refuse(
  400,
  'PriorRequestNotComplete',
  'The request was rejected because Route 53 was still processing a prior request.',
);

/** The most of these times, ascending, that lie within any one second. */
export function peakPerSecond(timesMs: readonly number[]): number {
  let first = 0;
  let peak = 0;
  timesMs.forEach((atMs, index) => {
    while ((timesMs[first] ?? atMs) <= atMs - 1_000) first += 1;
    peak = Math.max(peak, index - first + 1);
  });
  return peak;
}

/** The first call of a process loads parts of the SDK, which takes real time that the virtual one does not wait for. */
async function loadSdk(): Promise<void> {
  const headers = { 'content-type': 'text/xml' };
  const answer = () => ({ statusCode: 200, headers, body: Readable.from([Buffer.from('<Answer/>')]) });
  const client = new Route53Client({
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret' },
    requestHandler: { handle: () => Promise.resolve({ response: answer() }) },
  });
  await client.send(new ListResourceRecordSetsCommand({ HostedZoneId: 'Z1' }));
}

await loadSdk();
