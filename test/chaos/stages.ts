import type { Asked, FaultProxy } from '../support/fault-proxy.ts';
import { conditionOf } from '../e2e/rebalance.ts';
import type { Between, Subject, Synced } from './between.ts';
import type { Symptom } from './faults.ts';

export interface Stage {
  readonly name: string;
  readonly proxy: (between: Between) => FaultProxy;
  /** Whether an exchange is this stage's of this subject. */
  readonly matches: (subject: Subject, asked: Asked) => boolean;
  /** The reason in the status, or the refusal where the object itself cannot be read. */
  readonly reasons: Readonly<Record<Exclude<Symptom, 'None'>, string>>;
  /** The condition that has it; undefined: there is no status to write, so the sync is refused with 503. */
  readonly condition: 'MetricAvailable' | 'TargetSynced' | undefined;
  /** Whether who asks tries more than once within a sync. */
  readonly isRetried: boolean;
}

const UNREADABLE = { Lost: '', Late: '', Nonsense: '', NotHttp: '', Refused: '', Throttled: '' } as const;

const SECRET = {
  Lost: 'SecretUnavailable',
  Late: 'SecretUnavailable',
  Nonsense: 'SecretUnavailable',
  NotHttp: 'SecretUnavailable',
  Refused: 'SecretUnavailable',
  Throttled: 'SecretUnavailable',
} as const;

const METRIC = {
  Lost: 'MetricUnreachable',
  Late: 'MetricTimeout',
  Nonsense: 'NotPrometheus',
  NotHttp: 'NotPrometheus',
  Refused: 'QueryRejected',
  Throttled: 'QueryRejected',
} as const;

const CREDENTIALS = {
  Lost: 'CredentialsUnreachable',
  Late: 'CredentialsTimeout',
  Nonsense: 'CredentialsError',
  NotHttp: 'CredentialsUnreachable',
  Refused: 'CredentialsError',
  Throttled: 'CredentialsError',
} as const;

const TARGET = {
  Lost: 'TargetUnreachable',
  Late: 'TargetTimeout',
  Nonsense: 'TargetError',
  NotHttp: 'TargetUnreachable',
  Refused: 'TargetError',
  Throttled: 'Throttled',
} as const;

const route53 = { proxy: ({ aws }: Between) => aws, condition: 'TargetSynced', isRetried: true } as const;

/** The change that the poll asks about: moto has every change in sync at once, and answers for any id. */
export function pendingChange({ account }: Subject): string {
  return `C${account}`;
}

export const STAGES = {
  object: {
    name: 'the read of the live object',
    proxy: ({ kubernetes }) => kubernetes,
    matches: ({ path: own }, { method, path }) => method === 'GET' && path === own,
    reasons: UNREADABLE,
    condition: undefined,
    isRetried: false,
  },
  secret: {
    name: 'the read of a Secret',
    proxy: ({ kubernetes }) => kubernetes,
    matches: ({ secretPath }, { path }) => path === secretPath,
    reasons: SECRET,
    condition: 'MetricAvailable',
    isRetried: false,
  },
  metric: {
    name: 'the metric query',
    proxy: ({ prometheus }) => prometheus,
    matches: ({ query }, { path }) => URL.parse(path, 'http://it')?.searchParams.get('query') === query,
    reasons: METRIC,
    condition: 'MetricAvailable',
    isRetried: false,
  },
  role: {
    name: 'the session of a role',
    proxy: ({ aws }) => aws,
    matches: ({ account }, { method, path, body }) =>
      method === 'POST' && path === '/' && body.includes(account),
    reasons: CREDENTIALS,
    condition: 'TargetSynced',
    isRetried: true,
  },
  list: {
    ...route53,
    name: 'the list of the set',
    matches: ({ zone }, { method, path }) => method === 'GET' && path.includes(`/${zone.id}/rrset`),
    reasons: TARGET,
  },
  write: {
    ...route53,
    name: 'the write',
    matches: ({ zone }, { method, path }) => method === 'POST' && path.includes(`/${zone.id}/rrset`),
    reasons: TARGET,
  },
  poll: {
    ...route53,
    name: 'the poll of a change',
    matches: (subject, { path }) => path.endsWith(`/change/${pendingChange(subject)}`),
    reasons: TARGET,
  },
} as const satisfies Readonly<Record<string, Stage>>;

export type StageName = keyof typeof STAGES;

/** What the stage says when nothing is wrong. */
export function fine({ condition }: Stage): string {
  return condition === undefined ? 'answered' : condition === 'MetricAvailable' ? 'Sampled' : 'InSync';
}

/** Of the stage's condition; without one the sync is answered, or refused with what cannot be verified. */
export function reasonOf({ httpStatus, line, answer }: Synced, { condition }: Stage): string {
  if (condition !== undefined && answer !== undefined) return conditionOf(answer.status, condition).reason;
  if (condition === undefined && httpStatus === 200) return 'answered';
  return condition === undefined && httpStatus === 503 && line.startsWith('cannot verify Rebalance default/')
    ? ''
    : `HTTP ${httpStatus}: ${line}`;
}
