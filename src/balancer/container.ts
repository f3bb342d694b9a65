import { withoutEmpty } from '../foundation/without-empty.ts';
import type { Fields } from '../kubernetes/objects.ts';
import { balancerdArguments } from './arguments.ts';
import type { Blueprint } from './blueprint.ts';
import type { BalancerSettings, ResourceRequirements } from './settings.ts';
import { mountedVolumes } from './volumes.ts';

/** The one container of a pod. */
export function balancerdContainer(blueprint: Blueprint): Fields {
  const { spec, settings } = blueprint;
  return {
    name: 'balancerd',
    image: spec.image,
    imagePullPolicy: settings.imagePullPolicy,
    args: balancerdArguments(blueprint),
    ports: containerPorts(settings),
    ...probes(settings.balancerdInternalHttpPort),
    ...withoutEmpty({
      resources: renderResources(spec.resources ?? settings.defaultResources),
      securityContext: settings.enableSecurityContext ? RESTRICTED : undefined,
      volumeMounts: mountedVolumes(blueprint).map(({ mount }) => mount),
    }),
  };
}

/** What the Pod Security Standard "restricted" asks of a container. */
const RESTRICTED: Fields = {
  runAsNonRoot: true,
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
};

/** The names are an interface: others refer to the ports by them. */
function containerPorts(settings: BalancerSettings): readonly Fields[] {
  return [
    { name: 'pgwire', containerPort: settings.balancerdSqlPort, protocol: 'TCP' },
    { name: 'http', containerPort: settings.balancerdHttpPort, protocol: 'TCP' },
    { name: 'internal-http', containerPort: settings.balancerdInternalHttpPort, protocol: 'TCP' },
  ];
}

function probes(port: number): Fields {
  const once = { successThreshold: 1, timeoutSeconds: 1 };
  const get = (path: string): Fields => ({ httpGet: { path, port }, ...once });
  return {
    startupProbe: { ...get('/api/readyz'), failureThreshold: 20, initialDelaySeconds: 3, periodSeconds: 3 },
    readinessProbe: { ...get('/api/readyz'), failureThreshold: 3, periodSeconds: 10 },
    livenessProbe: { ...get('/api/livez'), failureThreshold: 3, initialDelaySeconds: 8, periodSeconds: 10 },
  };
}

function renderResources(resources: ResourceRequirements | undefined): Fields {
  const { limits, requests, claims } = resources ?? {};
  return withoutEmpty({ limits, requests, claims: claims?.map((claim) => withoutEmpty({ ...claim })) });
}
