import type {
  $Command,
  ChangeResourceRecordSetsCommand,
  Route53ClientResolvedConfig,
  ServiceInputTypes,
  ServiceOutputTypes,
} from '@aws-sdk/client-route-53';
import { certain } from '../../foundation/certain.ts';
import { UnreadableAnswer } from './unreadable-answer.ts';

/**
 * What the SDK does not show of a call: the body of the last answer, and whether an attempt ended without one.
 *
 * The SDK keeps only the elements of a record that its own version knows; an UPSERT of what it parsed would silently
 * remove the others. So records are kept word for word and written back so. What survives a write of ours is therefore
 * everything between `<ResourceRecordSet>` and its end, in its order; only the text of `<Weight>` is new.
 */
export interface Exchange {
  /** Body of the last answer; empty before one came. */
  readonly body: () => string;
  /** True when an attempt (one of the SDK's retries too) was sent and neither done nor refused: it may have acted. */
  readonly isInDoubt: () => boolean;
}

type Command<Input extends ServiceInputTypes, Output extends ServiceOutputTypes> = $Command<
  Input,
  Output,
  Route53ClientResolvedConfig,
  ServiceInputTypes,
  ServiceOutputTypes
>;

/** Connection failures before a byte of the request was sent. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Watches the one call that `command` will make. */
export function observe<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
  command: Command<Input, Output>,
): Exchange {
  let body = '';
  let openAttempts = 0;
  command.middlewareStack.add(
    (next) => async (args) => {
      openAttempts += 1;
      try {
        const result = await next(args);
        const response = result.response as { readonly statusCode: number; body: unknown };
        body = asErrorResponse((await readAll(response.body as AsyncIterable<Uint8Array>)).toString());
        response.body = Buffer.from(body);
        if (response.statusCode >= 400 && response.statusCode < 500) openAttempts -= 1;
        return result;
      } catch (error) {
        if (NEVER_SENT.has(String((error as { code?: unknown }).code))) openAttempts -= 1;
        throw error;
      }
    },
    { name: 'observeExchange', step: 'deserialize', priority: 'low' },
  );
  return { body: () => body, isInDoubt: () => openAttempts > 0 };
}

/** A page of 300 records is far below this; what goes on beyond it does not come from Route 53. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

async function readAll(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new UnreadableAnswer('it is larger than 16 MiB');
  }
  return Buffer.concat(chunks);
}

/**
 * Route 53 sends a refused batch in one of two forms, of which the SDK reads one; the other is a root `InvalidChangeBatch`
 * with a list of messages (API Reference, ChangeResourceRecordSets, Errors).
 */
function asErrorResponse(body: string): string {
  if (!/^(<\?[^>]*>\s*)?<InvalidChangeBatch[\s>]/.test(body)) return body;
  const whole = upToLast('</Message>', body);
  const messages = [...whole.matchAll(/<Message>(.*?)<\/Message>/gs)].map(([, message = '']) => message);
  return `<ErrorResponse><Error><Code>InvalidChangeBatch</Code><Message>${messages.join(', ')}</Message></Error></ErrorResponse>`;
}

/** A record element; one holds no others. */
const RECORD = /<ResourceRecordSet>.*?<\/ResourceRecordSet>/gs;

/** The record elements of a list's body, in order. */
export function recordsIn(body: string): readonly string[] {
  return upToLast('</ResourceRecordSet>', body).match(RECORD) ?? [];
}

/**
 * The text to the last end of an element. Each one that begins in it ends in it, so looking for them costs no more than it
 * is long; of a body of megabytes that only begins them, looking for each end would go on for hours.
 */
function upToLast(end: string, text: string): string {
  return text.slice(0, text.lastIndexOf(end) + end.length);
}

/** The record element with another weight. */
export function withWeight(xml: string, weight: number): string {
  return xml.replace(/<Weight>\s*\d+\s*<\/Weight>/, `<Weight>${weight}</Weight>`);
}

/** Lets `command` send these elements in place of what the SDK makes of its records, one for each of its changes in order. */
export function sendRecords(command: ChangeResourceRecordSetsCommand, elements: readonly string[]): void {
  command.middlewareStack.add(
    (next) => (args) => {
      const request = args.request as { body: string };
      const rest = elements.values();
      request.body = request.body.replace(RECORD, () =>
        certain(rest.next().value, 'the element of a change'),
      );
      return next(args);
    },
    // Before the length of the body is counted and the request is signed.
    { name: 'sendRecordsWordForWord', step: 'build', priority: 'high' },
  );
}
