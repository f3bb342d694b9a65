import type { JsonObject } from '../kubernetes/objects.ts';

/** core/v1 imagePullPolicy as Kubernetes spells it. */
export type ImagePullPolicy = 'Always' | 'IfNotPresent' | 'Never';

/** The operator's settings: same names and defaults as orchestratord's flags. */
export interface BalancerSettings {
  readonly enableSecurityContext: boolean;
  readonly enablePrometheusScrapeAnnotations: boolean;
  readonly imagePullPolicy: ImagePullPolicy;
  readonly schedulerName: string | undefined;
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** core/v1 Affinity, verbatim. */
  readonly affinity: JsonObject | undefined;
  /** core/v1 Tolerations, verbatim, in the order given. */
  readonly tolerations: readonly JsonObject[];
  /** For a Balancer that has none. */
  readonly defaultResources: ResourceRequirements | undefined;
  readonly defaultCertificateSpecs: DefaultCertificateSpecs;
  readonly environmentdSqlPort: number;
  readonly environmentdHttpPort: number;
  readonly balancerdSqlPort: number;
  readonly balancerdHttpPort: number;
  readonly balancerdInternalHttpPort: number;
}

/** core/v1 ResourceRequirements; quantities in the API server's own form (see kubernetes/quantity.ts). */
export interface ResourceRequirements {
  readonly limits?: Readonly<Record<string, string>> | undefined;
  readonly requests?: Readonly<Record<string, string>> | undefined;
  readonly claims?: readonly ResourceClaim[] | undefined;
}

export interface ResourceClaim {
  readonly name: string;
  readonly request?: string | undefined;
}

/** `--default-certificate-specs`; the keys that matter to a Balancer (consoleExternal is accepted and unused). */
export interface DefaultCertificateSpecs {
  readonly balancerdExternal: CertificateSpec | undefined;
  readonly internal: CertificateSpec | undefined;
}

/** Materialize's MaterializeCertSpec: every field optional, null already dropped. */
export interface CertificateSpec {
  readonly dnsNames?: readonly string[] | undefined;
  /** Go durations, verbatim. */
  readonly duration?: string | undefined;
  readonly renewBefore?: string | undefined;
  readonly issuerRef?: IssuerReference | undefined;
  readonly secretTemplate?: SecretTemplate | undefined;
  readonly privateKeyAlgorithm?: PrivateKeyAlgorithm | undefined;
  readonly privateKeySize?: number | undefined;
}

export type PrivateKeyAlgorithm = 'RSA' | 'ECDSA' | 'Ed25519';

export interface IssuerReference {
  readonly name: string;
  readonly kind?: string | undefined;
  readonly group?: string | undefined;
}

export interface SecretTemplate {
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}
