import { withoutEmpty } from '../foundation/without-empty.ts';
import { withoutNulls } from '../foundation/without-nulls.ts';
import type { Fields } from '../kubernetes/objects.ts';
import type { Blueprint } from './blueprint.ts';
import { balancerdContainer } from './container.ts';
import { type Labels, podLabels } from './labels.ts';
import type { BalancerSettings } from './settings.ts';
import { mountedVolumes } from './volumes.ts';

/** The uid and gid of Materialize's images. */
const MATERIALIZE_USER = 999;

/** What a pod of balancerd is. Keys of podLabels and podAnnotations that are ours keep our values. */
export function renderPodTemplate(blueprint: Blueprint): Fields {
  const { spec, settings } = blueprint;
  return {
    metadata: {
      labels: templateLabels(blueprint),
      ...withoutEmpty({ annotations: { ...spec.podAnnotations, ...scrapeAnnotations(settings) } }),
    },
    spec: {
      containers: [balancerdContainer(blueprint)],
      securityContext: {
        fsGroup: MATERIALIZE_USER,
        runAsUser: MATERIALIZE_USER,
        runAsGroup: MATERIALIZE_USER,
      },
      ...withoutEmpty({ volumes: mountedVolumes(blueprint).map(({ volume }) => volume) }),
      ...placement(settings),
    },
  };
}

/** The labels of a pod: those of the spec, where ours leave them room. */
export function templateLabels({ identity, spec }: Blueprint): Labels {
  return { ...spec.podLabels, ...podLabels(identity) };
}

/** Field paths of the pod labels and annotations whose wanted value gives way to ours. */
export function overriddenKeys({ identity, spec, settings }: Blueprint): readonly string[] {
  const overridden = (field: string, wanted: Labels, ours: Labels): readonly string[] =>
    Object.keys(wanted)
      .filter((key) => Object.hasOwn(ours, key) && ours[key] !== wanted[key])
      .map((key) => `${field}[${key}]`);
  return [
    ...overridden('spec.podLabels', spec.podLabels, podLabels(identity)),
    ...overridden('spec.podAnnotations', spec.podAnnotations, scrapeAnnotations(settings)),
  ];
}

function scrapeAnnotations(settings: BalancerSettings): Labels {
  if (!settings.enablePrometheusScrapeAnnotations) return {};
  return {
    'prometheus.io/scrape': 'true',
    'prometheus.io/port': String(settings.balancerdInternalHttpPort),
    'prometheus.io/path': '/metrics',
    'prometheus.io/scheme': 'http',
  };
}

/** Where the operator lets the pods run. Within a toleration an empty text means what an absent field does. */
function placement({ nodeSelector, affinity, tolerations, schedulerName }: BalancerSettings): Fields {
  return withoutEmpty({
    nodeSelector,
    affinity: withoutNulls(affinity),
    tolerations: tolerations.map((toleration) => withoutEmpty(withoutNulls(toleration) as Fields)),
    schedulerName,
  });
}
