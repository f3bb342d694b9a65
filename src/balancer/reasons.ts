/** What a condition says, for status and for docs/reference. */
interface ReasonRow {
  readonly condition: BalancerConditionType;
  /** What it means, and what to do where there is something to do. */
  readonly meaning: string;
}

/**
 * Conditions of a Balancer. The first three are always there; the others are there, and True, only while they apply.
 */
export const BALANCER_CONDITIONS = {
  Ready: 'The balancerd Deployment is available.',
  SpecValid: 'The spec could be read and rendered. While it is False, every child is held as it is.',
  ChildrenObserved: 'Every object that was asked for has been seen in the cluster.',
  CertificateUnmanaged:
    'This controller does not manage Certificates: somebody must provide the Secret that the pods mount.',
  SelectorDiffers: 'The Deployment has another selector than a new one would get; a selector is immutable.',
  Migrating: 'A Deployment with an older selector is made anew around its pods, which go on running.',
  PodMetadataDeferred: 'podLabels and podAnnotations wait for the next change of the pod template.',
  ResourceIdIgnored: 'spec.resourceId differs from the id that is settled in status, and has no effect.',
  PodMetadataOverridden: 'Keys of podLabels or podAnnotations are ours and keep our values.',
  UnknownFields: 'The spec has fields that mean nothing here; they are ignored.',
} as const satisfies Record<string, string>;
export type BalancerConditionType = keyof typeof BALANCER_CONDITIONS;

/** Every reason of every condition of a Balancer. */
export const BALANCER_REASONS = {
  DeploymentStatus: {
    condition: 'Ready',
    meaning:
      'True when the observed Deployment has the condition Available=True. Before one is observed, and while it has no conditions yet, the last word is kept; at first it is False.',
  },
  SpecAccepted: { condition: 'SpecValid', meaning: 'The spec is in force.' },
  NoRouting: { condition: 'SpecValid', meaning: 'No routing is given: set spec.staticRouting.' },
  MultipleRoutings: {
    condition: 'SpecValid',
    meaning: 'Keep one of spec.staticRouting and spec.fronteggRouting.',
  },
  FronteggNotImplemented: { condition: 'SpecValid', meaning: 'Use spec.staticRouting.' },
  InvalidKeySize: {
    condition: 'SpecValid',
    meaning: "The certificate's private key has a size that its algorithm does not allow.",
  },
  InvalidName: {
    condition: 'SpecValid',
    meaning:
      "The Balancer's own name or namespace cannot be a label value (at most 63 characters): make it anew with a shorter one.",
  },
  InvalidField: {
    condition: 'SpecValid',
    meaning: 'A field has a value that it must not have; the message names it.',
  },
  AllObserved: { condition: 'ChildrenObserved', meaning: 'Nothing is missing.' },
  Creating: {
    condition: 'ChildrenObserved',
    meaning: 'A child was asked for and is not observed yet. It is looked for again within 10 seconds.',
  },
  Adopting: {
    condition: 'ChildrenObserved',
    meaning:
      'An object that an orchestratord made for this Balancer (its owner reference says so) was labelled, so that Metacontroller adopts it.',
  },
  AdoptionFailed: {
    condition: 'ChildrenObserved',
    meaning:
      'Such an object could not be labelled. The message says why, and carries the command that does it by hand.',
  },
  NameTaken: {
    condition: 'ChildrenObserved',
    meaning:
      'An object of that name exists and does not belong to this Balancer. The message carries the command that hands it over or removes it.',
  },
  CreateFailed: {
    condition: 'ChildrenObserved',
    meaning:
      'The child does not exist 10 seconds after it was asked for: Metacontroller could not create it. Its events and log say why (quota, admission, RBAC).',
  },
  Missing: {
    condition: 'ChildrenObserved',
    meaning:
      'The child is not observed 10 seconds after it was asked for, and the hook could not ask the API why. The message carries the command to look.',
  },
  SpecInvalid: {
    condition: 'ChildrenObserved',
    meaning: 'While the spec is invalid nothing is asked for; what was observed is held.',
  },
  NoCertificateKind: {
    condition: 'CertificateUnmanaged',
    meaning:
      'The controller was installed without Certificate among its children (the no-cert-manager variant).',
  },
  SelectorKept: {
    condition: 'SelectorDiffers',
    meaning: 'The Deployment keeps its selector; everything else of it is up to date.',
  },
  SelectorForeign: {
    condition: 'SelectorDiffers',
    meaning:
      'The selector asks for labels that our pods do not have, so the Deployment is held as it is. Delete it to have it made anew.',
  },
  TemplateAwaited: {
    condition: 'Migrating',
    meaning: 'The migration would roll the pods while PodMetadataDeferred holds, and waits with it.',
  },
  RollingOut: {
    condition: 'Migrating',
    meaning: 'The pods get the labels of our selector; it goes on when every pod has them and is available.',
  },
  Orphaning: {
    condition: 'Migrating',
    meaning: 'The Deployment is being deleted without its ReplicaSets and pods.',
  },
  OrphaningFailed: {
    condition: 'Migrating',
    meaning:
      'The hook could not delete the Deployment. The message says why, and carries the command that does it by hand.',
  },
  Recreating: {
    condition: 'Migrating',
    meaning: 'The Deployment is gone and is made anew with our selector; it adopts the pods.',
  },
  TakenOverAsItWas: {
    condition: 'PodMetadataDeferred',
    meaning:
      'The Deployment was taken over and its template is ours but for podLabels and podAnnotations; they alone do not roll its pods. They go in with the next change of the template.',
  },
  ResourceIdSettled: {
    condition: 'ResourceIdIgnored',
    meaning: 'The id was settled at first and names every child. Make a new Balancer to use another.',
  },
  ReservedKeys: {
    condition: 'PodMetadataOverridden',
    meaning: 'Remove these keys from the spec, or rename them.',
  },
  FieldsIgnored: { condition: 'UnknownFields', meaning: 'Look for a misspelling.' },
} as const satisfies Record<string, ReasonRow>;
export type BalancerReason = keyof typeof BALANCER_REASONS;
