import type { Route53Client } from '@aws-sdk/client-route-53';
import { isThrottled } from '../aws/failures.ts';

/** One request that went to Route 53: each of the SDK's retries is one, as each counts against the account's quota. */
export interface Route53Call {
  /** Of the API: ListResourceRecordSets, ChangeResourceRecordSets, GetChange. */
  readonly operation: string;
  readonly result: 'ok' | 'throttled' | 'error';
}

/** Tells `onCall` of every request of the client, once its answer is there or will not come. */
export function watchCalls(client: Route53Client, onCall: (call: Route53Call) => void): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const operation = commandName.replace(/Command$/, '');
        try {
          const answered = await next(args);
          onCall({ operation, result: 'ok' });
          return answered;
        } catch (thrown) {
          onCall({ operation, result: isThrottled(thrown) ? 'throttled' : 'error' });
          throw thrown;
        }
      },
    // Below the retries, above what turns an error answer into a throw.
    { name: 'watchCalls', step: 'deserialize', priority: 'high' },
  );
}
