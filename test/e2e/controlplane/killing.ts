import type { Relay } from '../../support/relay.ts';

interface Answer {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly reason: string }[] };
}

/** What kills a hook, again and again. */
export interface Killing {
  /** The steps at which the hook was killed, by the reasons of its answers: "Adopting", "AllObserved Orphaning". */
  readonly killedAt: readonly string[];
  /** From now on every answer goes through. */
  stop(): void;
}

/**
 * Loses the first answer of each step of the Balancer `name` on its way through the relay: the hook has done at the API
 * what the step is, then it is killed and started again, and Metacontroller hears nothing. Every later one goes through.
 */
export function killAtEveryStep(relay: Relay, name: string, kill: () => Promise<void>): Killing {
  const killedAt: string[] = [];
  let isOver = false;
  const killNext = async (): Promise<void> => {
    const { answer, pass, cut } = await relay.hold('answered', ({ body }) =>
      body.includes(`"name":"${name}","namespace"`),
    );
    const step = stepOf(answer);
    if (isOver || killedAt.includes(step)) {
      pass();
    } else {
      killedAt.push(step);
      await kill().finally(cut);
    }
    if (!isOver) await killNext();
  };
  killNext().catch((error: unknown) => killedAt.push(`and failed to: ${String(error)}`));
  return { killedAt, stop: () => (isOver = true) };
}

function stepOf(answer: string): string {
  const { status } = JSON.parse(answer) as Answer;
  const conditions = status?.conditions ?? [];
  const told = conditions.filter(({ type }) => type === 'ChildrenObserved' || type === 'Migrating');
  return told.map(({ reason }) => reason).join(' ');
}
