import { isRecord, isStringMap } from '../foundation/record.ts';
import type { ObservedObject } from '../kubernetes/objects.ts';
import type { Blueprint } from './blueprint.ts';
import { type Labels, selectorLabels } from './labels.ts';
import { templateLabels } from './pod-template.ts';

/** Which selector the Deployment gets; an existing one cannot change it. */
export type SelectorChoice =
  | { readonly kind: 'Own'; readonly selector: { readonly matchLabels: Labels } }
  /** Another one, which our pods satisfy: older orchestratords used fewer labels. */
  | { readonly kind: 'Kept'; readonly selector: { readonly matchLabels: Labels } }
  /** One that our pods would not satisfy: the API server would refuse the Deployment at every sync, so it is held. */
  | { readonly kind: 'Foreign'; readonly deployment: ObservedObject };

/** The selector to answer for a Deployment as it is observed; ours where there is none, or none that can be read. */
export function chooseSelector(deployment: ObservedObject | undefined, blueprint: Blueprint): SelectorChoice {
  const own = selectorLabels(blueprint.identity);
  const spec = deployment?.['spec'];
  const selector = isRecord(spec) ? spec['selector'] : undefined;
  if (deployment === undefined || !isRecord(selector)) return { kind: 'Own', selector: { matchLabels: own } };
  const labels = plainLabels(selector);
  if (labels === undefined || !isSubset(labels, templateLabels(blueprint)))
    return { kind: 'Foreign', deployment };
  return isSubset(own, labels) && isSubset(labels, own)
    ? { kind: 'Own', selector: { matchLabels: own } }
    : { kind: 'Kept', selector: { matchLabels: labels } };
}

/** A selector that is nothing but labels; no orchestratord ever used expressions. */
function plainLabels({
  matchLabels = {},
  matchExpressions = [],
}: Readonly<Record<string, unknown>>): Labels | undefined {
  const hasExpressions = !Array.isArray(matchExpressions) || matchExpressions.length > 0;
  return !hasExpressions && isStringMap(matchLabels) ? matchLabels : undefined;
}

function isSubset(part: Labels, whole: Labels): boolean {
  return Object.entries(part).every(([key, value]) => Object.hasOwn(whole, key) && whole[key] === value);
}
