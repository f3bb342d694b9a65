import type { DesiredObject } from '../kubernetes/objects.ts';
import type { Blueprint } from './blueprint.ts';
import { deploymentReference } from './identity.ts';
import { objectLabels } from './labels.ts';
import { renderPodTemplate } from './pod-template.ts';

/** The balancerd pods. `selector` is the observed one where there is a Deployment already: it is immutable. */
export function renderDeployment(
  blueprint: Blueprint,
  selector: Readonly<Record<string, unknown>>,
): DesiredObject {
  const { identity, spec } = blueprint;
  const { apiVersion, kind, namespace, name } = deploymentReference(identity);
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, labels: objectLabels(identity) },
    spec: {
      replicas: spec.replicas,
      selector,
      // A full set of new pods at once, so that a connection rarely lands on a pod that is about to drain.
      strategy: { rollingUpdate: { maxSurge: '100%' } },
      template: renderPodTemplate(blueprint),
    },
  };
}
