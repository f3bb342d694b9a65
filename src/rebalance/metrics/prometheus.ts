import { systemClock, type Clock } from '../../foundation/clock.ts';
import { err, type Result } from '../../foundation/result.ts';
import { createAwsCredentials } from '../aws/credentials.ts';
import type { AwsCredentialSets } from '../aws/port.ts';
import type { CallContext } from '../secrets.ts';
import type { PrometheusQuery } from '../spec.ts';
import { createAddressPolicy, type AllowedAddress } from './address-policy.ts';
import { createAuthorization } from './authorization.ts';
import { createConnections } from './connections.ts';
import { fail } from './fail.ts';
import { guardedLookup, type Resolve } from './guarded-lookup.ts';
import { createTokens } from './oauth2.ts';
import type { MetricFailure, MetricSource } from './port.ts';
import { readAnswer, type HttpAnswer } from './prometheus-answer.ts';
import { exchange, failedCall } from './prometheus-exchange.ts';
import { limitOf, parseAddress, type Asked, type QueryRange } from './prometheus-request.ts';
import { readTls } from './tls.ts';
import { refuseLiteral } from './transport.ts';

/** Prometheus as the hooks and the commands ask it. */
export interface Prometheus extends MetricSource {
  /** Where a metric was in the past; not part of a sync. */
  readRange(
    metric: PrometheusQuery,
    range: QueryRange,
    context: CallContext,
  ): Promise<Result<HttpAnswer, MetricFailure>>;
}

export interface PrometheusOptions {
  /** What may be called; empty or absent: all but what is never called. */
  readonly allowed?: readonly AllowedAddress[];
  /** How host names are resolved; the system's way where absent. */
  readonly resolve?: Resolve;
  readonly clock?: Clock;
  /** Where all that call AWS take their credentials from; where absent a source of its own. */
  readonly credentials?: AwsCredentialSets;
}

/**
 * Prometheus' instant query, once per evaluation. Connections are kept and reused (by all objects with the same TLS
 * settings); redirects are not followed, proxies of the environment not used; no time is sent, so Prometheus evaluates at
 * its own now.
 */
export function createPrometheus({
  allowed,
  resolve,
  clock = systemClock,
  credentials = createAwsCredentials(clock),
}: PrometheusOptions = {}): Prometheus {
  const policy = createAddressPolicy(allowed);
  const connections = createConnections(guardedLookup(policy, resolve));
  const tokens = createTokens({ connections, policy, clock });
  const authorization = createAuthorization({ tokens, credentials, clock });
  const ask = async (asked: Asked, context: CallContext): Promise<Result<HttpAnswer, MetricFailure>> => {
    const { metric } = asked;
    const endpoint = parseAddress(metric.address);
    if (endpoint === undefined)
      return err(fail('MetricUnreachable', `${metric.path}.address: not an http or https URL`));
    const refused = refuseLiteral(policy, endpoint.url);
    if (refused !== undefined) return err(failedCall({ metric, endpoint }, refused));
    const tls = await readTls(metric.tls, `${metric.path}.tls`, context);
    if (!tls.ok) return tls;
    const limit = limitOf(metric, context.deadline);
    const request = { ...asked, endpoint, agents: connections.of(tls.value), limit };
    return authorization.send(
      metric.auth,
      `${metric.path}.auth`,
      { ...context, deadline: limit.deadline },
      (sign) => exchange(request, sign),
    );
  };
  return {
    read: async (metric, context) => {
      const answer = await ask({ metric, range: undefined }, context);
      return answer.ok ? readAnswer(metric.path, answer.value) : answer;
    },
    readRange: (metric, range, context) => ask({ metric, range }, context),
  };
}
