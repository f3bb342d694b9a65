import assert from 'node:assert/strict';
import { at, listAt, textAt } from '../at.ts';
import type { Answer } from '../call.ts';
import { decodeAnswer } from '../metacontroller/webhook.ts';

/**
 * Throws where an answer is not what Metacontroller may get: a 200 that its strict decoder takes and that drops no observed
 * child but the Certificate of a valid spec without issuer; or a 400 of one short line.
 */
export function judge(bytes: Buffer, { status, text }: Answer): void {
  assert.ok(status === 200 || status === 400, `${status}: ${text}`);
  if (status === 400) {
    assert.match(text, /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,256}\n$/u);
    return;
  }
  const decoded = decodeAnswer(text, 'strict');
  assert.ok(decoded.ok, decoded.ok ? '' : `Metacontroller cannot read it: ${decoded.error}`);
  assert.ok(!text.includes('"polluted"') || bytes.includes('polluted'), 'a value from nowhere');
  const answered = decoded.value.children.map(identityOf);
  assert.equal(new Set(answered).size, answered.length, `a child twice: ${answered.join(', ')}`);
  const body: unknown = JSON.parse(new TextDecoder().decode(bytes));
  for (const child of observedIn(body)) {
    if (answered.includes(identityOf(child)) || mayBeDropped(child, body, JSON.parse(text))) continue;
    assert.fail(`drops the observed ${identityOf(child)}`);
  }
}

function observedIn(body: unknown): readonly unknown[] {
  return Object.values(at(body, 'children') ?? {}).flatMap(
    (byName: unknown) => Object.values(byName ?? {}) as readonly unknown[],
  );
}

function identityOf(object: unknown): string {
  return `${textAt(object, 'apiVersion')} ${textAt(object, 'kind')} ${textAt(object, 'metadata.name')}`;
}

function mayBeDropped(child: unknown, body: unknown, answer: unknown): boolean {
  const conditions = listAt(answer, 'status.conditions');
  const isValid = conditions.some(
    (each) => textAt(each, 'type') === 'SpecValid' && textAt(each, 'status') === 'True',
  );
  const issuer = at(body, 'parent.spec.externalCertificateSpec.issuerRef') ?? undefined;
  return textAt(child, 'kind') === 'Certificate' && isValid && issuer === undefined;
}
