import type { ObservedObject, OwnerReference } from './objects.ts';

/** The one owner that controls the object. */
export function controllerOf({ metadata }: ObservedObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find((owner) => owner.controller === true);
}

/** Whether the object names the owner, controlling or not. */
export function isOwnedBy({ metadata }: ObservedObject, uid: string): boolean {
  return metadata.ownerReferences?.some((owner) => owner.uid === uid) === true;
}
