import type { DesiredObject, Fields } from '../kubernetes/objects.ts';
import type { Blueprint } from './blueprint.ts';
import { workloadName } from './identity.ts';
import { NAME_LABEL, objectLabels } from './labels.ts';

/** The headless Service: its DNS name answers with the pods themselves. */
export function renderService({ identity, settings }: Blueprint): DesiredObject {
  const name = workloadName(identity);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: identity.namespace, labels: objectLabels(identity) },
    spec: {
      type: 'ClusterIP',
      clusterIP: 'None',
      selector: { [NAME_LABEL]: name },
      ports: [
        servicePort('http', settings.balancerdHttpPort),
        servicePort('pgwire', settings.balancerdSqlPort),
      ],
    },
  };
}

function servicePort(name: string, port: number): Fields {
  return { name, port, targetPort: port, protocol: 'TCP' };
}
