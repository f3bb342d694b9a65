import type { ObjectReference } from './objects.ts';

/** The command that does `verb` to one object: `kubectl -n ns get deployment.apps name`. */
export function kubectl(
  { apiVersion, kind, namespace, name }: ObjectReference,
  verb: string,
  rest = '',
): string {
  const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/') : [];
  const type = [kind.toLowerCase(), group].filter((part) => part !== '').join('.');
  return `kubectl -n ${namespace} ${verb} ${type} ${name} ${rest}`.trimEnd();
}

/** How a message names one object: `Deployment ns/name`. */
export function describeObject({ kind, namespace, name }: ObjectReference): string {
  return `${kind} ${namespace}/${name}`;
}
