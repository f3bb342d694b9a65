import { type Identity, workloadName } from './identity.ts';

export type Labels = Readonly<Record<string, string>>;

/** The name by which the headless Service finds its pods. */
export const NAME_LABEL = 'materialize.cloud/name';

/** NetworkPolicies and load balancers elsewhere select pods by these four: they are an interface. */
export function defaultLabels({ parentName, namespace, resourceId }: Identity): Labels {
  return {
    'materialize.cloud/organization-name': parentName,
    'materialize.cloud/organization-namespace': namespace,
    'materialize.cloud/mz-resource-id': resourceId,
    'materialize.cloud/app': 'balancerd',
  };
}

const APP_LABEL: Labels = { app: 'balancerd' };

/** The three of Kubernetes' recommended labels that are in use. */
const KUBERNETES_LABELS: Labels = {
  'app.kubernetes.io/managed-by': 'materialize-operator',
  'app.kubernetes.io/part-of': 'materialize',
  'app.kubernetes.io/name': 'balancerd',
};

/** metadata.labels of every child: 8 keys. */
export function objectLabels(identity: Identity): Labels {
  return { ...defaultLabels(identity), ...KUBERNETES_LABELS, ...APP_LABEL };
}

/** The Deployment's selector: 6 keys, all of them on the pods. */
export function selectorLabels(identity: Identity): Labels {
  return { ...defaultLabels(identity), [NAME_LABEL]: workloadName(identity), ...APP_LABEL };
}

/** What we put on the pods: 9 keys. */
export function podLabels(identity: Identity): Labels {
  return { ...selectorLabels(identity), ...KUBERNETES_LABELS };
}
