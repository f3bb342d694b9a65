import assert from 'node:assert/strict';
import { createLogger } from '../../../src/observability/log.ts';

/** What a line says, time apart. */
function logged(fields: object): Readonly<Record<string, unknown>> {
  const lines: string[] = [];
  createLogger('info', { write: (line) => void lines.push(line) }).error(fields, 'it');
  assert.equal(lines.length, 1);
  const line = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
  return Object.fromEntries(Object.entries(line).filter(([key]) => !['time', 'level', 'msg'].includes(key)));
}

describe('a line of the log', () => {
  it('has every text cleaned and cut, in lists, in objects and as keys', () => {
    const text = `a\u001b[31m\nb${'x'.repeat(300)}`;
    const line = `a [31m b${'x'.repeat(247)}…`;
    assert.deepEqual(
      logged({ because: text, parent: { name: text }, hooks: [text, 1, null], [text]: true }),
      {
        because: line,
        parent: { name: line },
        hooks: [line, 1, null],
        [line]: true,
      },
    );
  });

  it('has of an error its name, message, code and stack, and no other field: those of a request hold credentials', () => {
    const error = Object.assign(new TypeError('bad\nthing'), {
      code: 'ECONNRESET',
      config: { headers: { Authorization: 'Bearer sesame' } },
    });
    const { err } = logged({ err: error }) as { readonly err: Readonly<Record<string, string>> };
    assert.deepEqual(Object.keys(err), ['type', 'message', 'code', 'stack']);
    assert.deepEqual([err['type'], err['message'], err['code']], ['TypeError', 'bad thing', 'ECONNRESET']);
    assert.match(err['stack'] ?? '', /^(\n {4}at [^\n]{1,253}){1,20}$/);
  });

  it('ends where an object is deeper or longer than any of ours', () => {
    const deep = { a: { b: { c: { d: { e: { f: 1 } } } } } };
    assert.deepEqual(logged(deep), { a: { b: { c: { d: { e: '…' } } } } });
    const long = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, index]));
    assert.equal(Object.keys(logged({ long })['long'] as object).length, 50);
  });
});
