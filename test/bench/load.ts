import autocannon from 'autocannon';

export interface Load {
  readonly syncsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export type LoadBound = { readonly seconds: number } | { readonly amount: number };

/** Metacontroller's default number of workers for each controller. */
const CONNECTIONS = 5;

/** Posts one body over and over, for a time or a number of times; an answer that is no 200 is an error. */
export async function load(url: string, body: string, bound: LoadBound): Promise<Load> {
  const latenciesMs: number[] = [];
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        connections: CONNECTIONS,
        ...('seconds' in bound ? { duration: bound.seconds } : { amount: bound.amount }),
      },
      (error: unknown, finished) => {
        if (error === null || error === undefined) resolve(finished);
        else reject(error instanceof Error ? error : new Error(JSON.stringify(error)));
      },
    );
    // Its own histogram knows whole milliseconds only.
    instance.on('response', (_client, _status, _bytes, responseMs) => latenciesMs.push(responseMs));
  });
  const bad = result.non2xx + result.errors + result.timeouts;
  if (bad > 0) throw new Error(`${url}: ${bad} answers of ${latenciesMs.length} were no 200`);
  latenciesMs.sort((left, right) => left - right);
  return {
    syncsPerSecond: latenciesMs.length / result.duration,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
  };
}

/** The element of a sorted list below which a share `q` of it lies. */
export function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(
    [...values].sort((left, right) => left - right),
    0.5,
  );
}
