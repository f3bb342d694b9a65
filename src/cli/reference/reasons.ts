import { BALANCER_CONDITIONS, BALANCER_REASONS } from '../../balancer/reasons.ts';
import { ADVICE_REASONS } from '../../rebalance/reasons/advice.ts';
import { CONDITION_TYPES, STATE_REASONS } from '../../rebalance/reasons/conditions.ts';
import { DECISION_REASONS } from '../../rebalance/reasons/decisions.ts';
import { EVENT_REASONS } from '../../rebalance/reasons/events.ts';
import { METRIC_REASONS, TARGET_REASONS } from '../../rebalance/reasons/failures.ts';
import { code, generatedFrom, page, table } from './markdown.ts';

/** docs/reference/reasons.md: every condition and reason of both kinds, from the tables that the hooks take them from. */
export function reasonsPage(): string {
  return page(
    generatedFrom('src/balancer/reasons.ts and src/rebalance/reasons/'),
    '# Conditions and reasons',
    'What `kubectl describe` shows. A reason is a constant; the message beside it has the details of the case.',
    '## Balancer',
    meanings('Condition', BALANCER_CONDITIONS),
    table(
      ['Reason', 'Condition', 'Meaning'],
      Object.entries(BALANCER_REASONS).map(([reason, { condition, meaning }]) => [
        code(reason),
        code(condition),
        meaning,
      ]),
    ),
    '## Rebalance: conditions',
    meanings('Condition', CONDITION_TYPES),
    '## Rebalance: why the weight wanted is what it is',
    'In `status.decision.reason`, with the word that stands in `status.condition` when nothing failed.',
    table(
      ['Reason', 'Condition', 'Meaning'],
      Object.entries(DECISION_REASONS).map(([reason, { word, meaning }]) => [code(reason), word, meaning]),
    ),
    '## Rebalance: how things stand',
    meanings('Reason', STATE_REASONS),
    '## Rebalance: advice',
    'Reasons of `ConfigurationAdvice`: what will not do what it is meant to, and what to do.',
    meanings('Reason', ADVICE_REASONS),
    '## Rebalance: why the metric could not be read',
    meanings('Reason', METRIC_REASONS),
    '## Rebalance: why the record could not be read or written',
    meanings('Reason', TARGET_REASONS),
    '## Rebalance: Events',
    'A failure records an Event with its own reason from the tables above.',
    meanings('Reason', EVENT_REASONS),
  );
}

function meanings(head: string, rows: Readonly<Record<string, string>>): string {
  return table(
    [head, 'Meaning'],
    Object.entries(rows).map(([name, meaning]) => [code(name), meaning]),
  );
}
