import type { ObservedObject } from '../../../src/kubernetes/objects.ts';
import { isRecord, listAt, recordAt, sameJson, type JsonRecord } from '../json.ts';
import type { KindRules } from './kinds.ts';

/**
 * Deployment and Service as kube-apiserver v1.36 stores them, as far as children of ours reach, and the kinds that are
 * only ever read. The defaults are those of the recorded exchanges (test/fixtures/recorded).
 */
export const BUILTIN_KINDS: readonly KindRules[] = [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    resource: 'deployments',
    hasStatusSubresource: true,
    // [deployment-generation] Annotations count too, so a generation proves no rollout.
    bumpsGeneration: (before, after) =>
      !sameJson(before['spec'], after['spec']) ||
      !sameJson(before.metadata.annotations, after.metadata.annotations),
    admit: (object) => ({ ...object, spec: admitDeploymentSpec(recordAt(object, 'spec')) }),
    refuseUpdate: (before, after) => refuseChange(before, after, 'Deployment.apps', 'selector'),
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    resource: 'services',
    hasStatusSubresource: true,
    bumpsGeneration: undefined,
    admit: (object) => ({
      ...object,
      spec: admitServiceSpec(recordAt(object, 'spec')),
      status: object['status'] ?? { loadBalancer: {} },
    }),
    refuseUpdate: (before, after) => refuseChange(before, after, 'Service', 'clusterIP'),
  },
  ...['Secret', 'ConfigMap', 'Event'].map((kind): KindRules => ({
    apiVersion: 'v1',
    kind,
    resource: `${kind.toLowerCase()}s`,
    hasStatusSubresource: false,
    bumpsGeneration: undefined,
    admit: (object) => object,
  })),
  {
    apiVersion: 'metacontroller.k8s.io/v1alpha1',
    kind: 'CompositeController',
    resource: 'compositecontrollers',
    hasStatusSubresource: true,
    bumpsGeneration: (before, after) => !sameJson(before['spec'], after['spec']),
    admit: (object) => object,
  },
];

/** [immutable-field] */
function refuseChange(
  before: ObservedObject,
  after: ObservedObject,
  kind: string,
  field: string,
): string | undefined {
  const [was, is] = [recordAt(before, 'spec')[field], recordAt(after, 'spec')[field]];
  if (sameJson(was, is)) return undefined;
  return `${kind} "${after.metadata.name}" is invalid: spec.${field}: ${JSON.stringify(is)}: field is immutable`;
}

/** `defaults` for what `value` does not have. */
function fill(value: unknown, defaults: JsonRecord): JsonRecord {
  return { ...defaults, ...recordAt(value) };
}

function admitDeploymentSpec(spec: JsonRecord): JsonRecord {
  return {
    ...fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 }),
    strategy: {
      ...fill(spec['strategy'], { type: 'RollingUpdate' }),
      rollingUpdate: fill(recordAt(spec, 'strategy', 'rollingUpdate'), {
        maxSurge: '25%',
        maxUnavailable: '25%',
      }),
    },
    template: { ...recordAt(spec, 'template'), spec: admitPodSpec(recordAt(spec, 'template', 'spec')) },
  };
}

function admitPodSpec(pod: JsonRecord): JsonRecord {
  return {
    ...fill(pod, {
      dnsPolicy: 'ClusterFirst',
      restartPolicy: 'Always',
      schedulerName: 'default-scheduler',
      securityContext: {},
      terminationGracePeriodSeconds: 30,
    }),
    containers: listAt(pod, 'containers').map(admitContainer),
    ...(Object.hasOwn(pod, 'volumes') ? { volumes: listAt(pod, 'volumes').map(admitVolume) } : {}),
  };
}

function admitContainer(raw: unknown): JsonRecord {
  const container = recordAt(raw);
  const probes = ['startupProbe', 'readinessProbe', 'livenessProbe'].filter((probe) => probe in container);
  return {
    ...fill(container, {
      imagePullPolicy: 'IfNotPresent',
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
    }),
    ...Object.fromEntries(probes.map((probe) => [probe, admitProbe(container[probe])])),
    resources: canonicalQuantities(recordAt(container, 'resources')),
    ...('ports' in container
      ? { ports: listAt(container, 'ports').map((port) => fill(port, { protocol: 'TCP' })) }
      : {}),
  };
}

function admitProbe(probe: unknown): JsonRecord {
  return {
    ...fill(probe, { periodSeconds: 10, timeoutSeconds: 1, successThreshold: 1, failureThreshold: 3 }),
    httpGet: fill(recordAt(probe, 'httpGet'), { scheme: 'HTTP' }),
  };
}

function admitVolume(volume: unknown): JsonRecord {
  const sources = Object.entries(recordAt(volume)).map(([key, source]) =>
    key === 'secret' || key === 'configMap' ? [key, fill(source, { defaultMode: 420 })] : [key, source],
  );
  return recordAt(Object.fromEntries(sources));
}

function admitServiceSpec(spec: JsonRecord): JsonRecord {
  const address = spec['clusterIP'] ?? '10.96.0.1';
  return {
    ...fill(spec, {
      type: 'ClusterIP',
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      clusterIP: address,
      clusterIPs: [address],
    }),
    ports: listAt(spec, 'ports').map((port) =>
      fill(port, { protocol: 'TCP', targetPort: recordAt(port)['port'] }),
    ),
  };
}

/** [canonical-quantities] Thousandths that make a whole number are stored as one: `1000m` as `1`. */
function canonicalQuantities(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/^(\d+)000m$/, '$1');
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, quantity]) => [key, canonicalQuantities(quantity)]),
  );
}
