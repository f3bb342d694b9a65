import { parseDefaultCertificateSpecs } from '../api/certificate-spec.ts';
import { parseDefaultResources } from '../api/resource-requirements.ts';
import type { DefaultCertificateSpecs, ImagePullPolicy } from '../balancer/settings.ts';
import type { JsonObject } from '../kubernetes/objects.ts';
import { boolean, optional, repeatable, required, type Flag, type FlagText } from './flag.ts';
import {
  parseChoice,
  parseJsonObject,
  parseJsonObjects,
  parseKeyValues,
  parsePort,
  parseText,
} from './values.ts';

const IMAGE_PULL_POLICIES: Readonly<Record<string, ImagePullPolicy>> = {
  always: 'Always',
  'if-not-present': 'IfNotPresent',
  never: 'Never',
};

function port(text: Omit<FlagText, 'type' | 'group'>, byDefault: number): Flag<number> {
  return required({ ...text, group: 'Balancer', type: 'port', default: String(byDefault) }, parsePort);
}

/**
 * What the operator sets of every Balancer, with the names and defaults of orchestratord, so that its arguments can be
 * carried over as they are.
 */
export const BALANCER_FLAGS = {
  'enable-security-context': boolean(
    { group: 'Balancer', description: 'Give the balancerd container a restricted security context.' },
    false,
  ),
  'enable-prometheus-scrape-annotations': boolean(
    { group: 'Balancer', description: 'Annotate the balancerd pods for a scraping Prometheus.' },
    false,
  ),
  'image-pull-policy': required(
    {
      group: 'Balancer',
      type: Object.keys(IMAGE_PULL_POLICIES).join('|'),
      default: 'always',
      description: 'When the kubelet pulls the balancerd image.',
    },
    parseChoice(IMAGE_PULL_POLICIES),
  ),
  'scheduler-name': optional(
    { group: 'Balancer', type: 'name', description: 'schedulerName of the balancerd pods.' },
    parseText,
  ),
  'balancerd-node-selector': repeatable(
    {
      group: 'Balancer',
      type: 'key=value,...',
      description: 'nodeSelector of the balancerd pods, one pair or several.',
    },
    parseKeyValues,
    (pairs): Readonly<Record<string, string>> => Object.fromEntries(pairs),
  ),
  'balancerd-affinity': optional(
    { group: 'Balancer', type: 'json', description: 'affinity of the balancerd pods (core/v1 Affinity).' },
    parseJsonObject,
  ),
  'balancerd-toleration': repeatable(
    {
      group: 'Balancer',
      type: 'json',
      description: 'Toleration of the balancerd pods (core/v1 Toleration): an object, or an array of them.',
    },
    parseJsonObjects,
    (tolerations): readonly JsonObject[] => tolerations,
  ),
  'balancerd-default-resources': optional(
    {
      group: 'Balancer',
      type: 'json',
      description: 'Resources of a Balancer that names none (core/v1 ResourceRequirements).',
    },
    parseDefaultResources,
  ),
  'default-certificate-specs': required<DefaultCertificateSpecs>(
    {
      group: 'Balancer',
      type: 'json',
      default: '{}',
      description: 'Certificate defaults under the keys balancerdExternal and internal; others are ignored.',
    },
    parseDefaultCertificateSpecs,
  ),
  'environmentd-sql-port': port(
    { description: 'SQL port of environmentd that balancerd forwards to.' },
    6875,
  ),
  'environmentd-http-port': port(
    { description: 'HTTP port of environmentd that balancerd forwards to.' },
    6876,
  ),
  'balancerd-sql-port': port({ description: 'SQL port of balancerd and its Service.' }, 6875),
  'balancerd-http-port': port({ description: 'HTTP port of balancerd and its Service.' }, 6876),
  'balancerd-internal-http-port': port({ description: 'Port of balancerd for probes and metrics.' }, 8080),
} as const satisfies Readonly<Record<string, Flag<unknown>>>;
