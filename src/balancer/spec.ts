import type { CertificateSpec, ResourceRequirements } from './settings.ts';

/** A Balancer as the core sees it: nulls dropped, defaults applied, quantities canonical, routing known to be one. */
export interface BalancerSpec {
  /** balancerdImageRef, verbatim. */
  readonly image: string;
  readonly replicas: number;
  /** undefined: the operator's default. */
  readonly resources: ResourceRequirements | undefined;
  /** The certificate shown to clients. */
  readonly externalCertificate: CertificateSpec;
  /** Only decides `--internal-tls`. */
  readonly internalCertificate: CertificateSpec;
  readonly podAnnotations: Readonly<Record<string, string>>;
  readonly podLabels: Readonly<Record<string, string>>;
  /** ConfigMap of the same namespace with key config.json. */
  readonly configMapName: string | undefined;
  readonly routing: StaticRouting;
  /** Wins over the generated id until one is settled in status. */
  readonly resourceId: string | undefined;
}

/** Every connection goes to one environmentd Service. */
export interface StaticRouting {
  readonly environmentdNamespace: string;
  readonly environmentdServiceName: string;
}
