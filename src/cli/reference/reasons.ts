import { BALANCER_CONDITIONS, BALANCER_REASONS } from '../../balancer/reasons.ts';
import { code, generatedFrom, page, table } from './markdown.ts';

/** docs/reference/reasons.md: every condition and reason of both kinds, from the tables that the hooks take them from. */
export function reasonsPage(): string {
  return page(
    generatedFrom('src/balancer/reasons.ts'),
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
  );
}

function meanings(head: string, rows: Readonly<Record<string, string>>): string {
  return table(
    [head, 'Meaning'],
    Object.entries(rows).map(([name, meaning]) => [code(name), meaning]),
  );
}
