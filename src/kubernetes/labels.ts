/** Limits: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set. */

export const LABEL_VALUE_PATTERN = '^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$';
export const LABEL_VALUE_MAX_LENGTH = 63;

/** Key of a label, an annotation or a resource: at most 63 characters, after an optional DNS subdomain and a slash. */
export const QUALIFIED_NAME_PATTERN =
  '^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$';

/** Put on each child by Metacontroller's `generateSelector`; an object without an owner that carries it is adopted. */
export const CONTROLLER_UID_LABEL = 'controller-uid';

const labelValue = new RegExp(LABEL_VALUE_PATTERN);
const qualifiedName = new RegExp(QUALIFIED_NAME_PATTERN);

/** Whether a text can be the value of a label; the empty one can. */
export function isLabelValue(text: string): boolean {
  return text.length <= LABEL_VALUE_MAX_LENGTH && labelValue.test(text);
}

/** Whether a text can be the key of a label or an annotation: a name, after an optional DNS name and "/". */
export function isQualifiedName(text: string): boolean {
  return qualifiedName.test(text);
}
