import { z } from 'zod';
import {
  type BalancerProblem,
  ECDSA_KEY_SIZES,
  PROBLEM_TEXTS,
  RSA_MINIMUM_KEY_SIZE,
} from '../balancer/problem.ts';
import { RESOURCE_ID_MAX_LENGTH, RESOURCE_ID_PATTERN } from '../balancer/resource-id.ts';
import type { BalancerSpec } from '../balancer/spec.ts';
import { err, ok, type Result } from '../foundation/result.ts';
import { withoutNulls } from '../foundation/without-nulls.ts';
import {
  DNS_LABEL_MAX_LENGTH,
  DNS_LABEL_PATTERN,
  DNS_SUBDOMAIN_MAX_LENGTH,
  DNS_SUBDOMAIN_PATTERN,
} from '../kubernetes/names.ts';
import { certificateSpecSchema, toCertificateSpec } from './certificate-spec.ts';
import { conditionListSchema } from './condition-list.ts';
import { annotationMap, labelMap } from './metadata-maps.ts';
import { readBySchema } from './problems.ts';
import { resourceRequirementsSchema } from './resource-requirements.ts';
import { unknownFields } from './unknown-fields.ts';

/** Key sizes as far as the object alone says them; the rest depends on the operator's defaults, and only the hook sees it. */
const keySizeRules = [
  {
    rule: `!has(self.issuerRef) || !has(self.privateKeySize) || !has(self.privateKeyAlgorithm) || self.privateKeyAlgorithm != 'ECDSA' || self.privateKeySize in [${ECDSA_KEY_SIZES.join(', ')}]`,
    message: PROBLEM_TEXTS.ecdsaKeySize,
  },
  {
    rule: `!has(self.issuerRef) || !has(self.privateKeySize) || !has(self.privateKeyAlgorithm) || self.privateKeyAlgorithm != 'RSA' || self.privateKeySize >= ${RSA_MINIMUM_KEY_SIZE}`,
    message: PROBLEM_TEXTS.rsaKeySize,
  },
];

const routingRules = [
  { rule: 'has(self.staticRouting) || has(self.fronteggRouting)', message: PROBLEM_TEXTS.noRouting },
  { rule: '!has(self.staticRouting) || !has(self.fronteggRouting)', message: PROBLEM_TEXTS.multipleRoutings },
  { rule: 'has(self.staticRouting) || !has(self.fronteggRouting)', message: PROBLEM_TEXTS.frontegg },
];

/** Rules about the whole object, for the root of the CRD's schema. */
export const balancerObjectRules = [
  { rule: 'size(self.metadata.name) <= 63', message: PROBLEM_TEXTS.nameTooLong },
];

function dnsLabel(description: string) {
  return z
    .string()
    .max(DNS_LABEL_MAX_LENGTH)
    .regex(
      new RegExp(DNS_LABEL_PATTERN),
      'expected lower case letters, digits and "-", starting and ending with a letter or digit',
    )
    .meta({ description });
}

/** spec of a Balancer, as it stands in the CRD. */
export const balancerSpecSchema = z
  .object({
    balancerdImageRef: z
      .string()
      .min(1)
      .max(1024)
      .regex(/^\S+$/, 'expected an image reference without white space')
      .meta({ description: 'Image of balancerd, used as it is.' }),
    resourceRequirements: resourceRequirementsSchema
      .meta({
        description:
          "Resources of each balancerd container; where absent the operator's --balancerd-default-resources.",
      })
      .optional(),
    replicas: z
      .int()
      .min(0)
      .max(2_147_483_647)
      .default(2)
      .meta({ description: 'How many balancerd pods run.' }),
    externalCertificateSpec: certificateSpecSchema
      .meta({
        description:
          "The certificate shown to clients. With an issuer, here or in the operator's defaults, balancerd demands TLS.",
        'x-kubernetes-validations': keySizeRules,
      })
      .optional(),
    internalCertificateSpec: certificateSpecSchema
      .meta({
        description:
          "Whether environmentd is reached by TLS: it is where an issuer is known, here or in the operator's defaults. No certificate is made for it.",
      })
      .optional(),
    podAnnotations: annotationMap('Annotations of the pods; keys that are ours keep our values.').optional(),
    podLabels: labelMap('Labels of the pods; keys that are ours keep our values.').optional(),
    configmapName: z
      .string()
      .max(DNS_SUBDOMAIN_MAX_LENGTH)
      .regex(
        new RegExp(DNS_SUBDOMAIN_PATTERN),
        'expected the name of a ConfigMap: lower case letters, digits, "-" and "."',
      )
      .meta({
        description:
          'ConfigMap of the same namespace whose key config.json is mounted and read again every second.',
      })
      .optional(),
    staticRouting: z
      .object({
        environmentdNamespace: dnsLabel('Namespace of the environmentd Service.'),
        environmentdServiceName: dnsLabel('Name of the environmentd Service.'),
      })
      .meta({ description: 'Every connection goes to one environmentd.' })
      .optional(),
    fronteggRouting: z
      .object({})
      .meta({ description: 'Routing by Frontegg tenant; not yet implemented, and refused.' })
      .optional(),
    resourceId: z
      .string()
      .max(RESOURCE_ID_MAX_LENGTH)
      .regex(
        new RegExp(RESOURCE_ID_PATTERN),
        'expected lower case letters, digits and "-", starting and ending with a letter or digit',
      )
      .meta({
        description:
          'Takes the place of the generated id in the names of all children. Has no effect once status has an id.',
      })
      .optional(),
  })
  .meta({ description: 'What balancerd should be.', 'x-kubernetes-validations': routingRules });

/** status of a Balancer, as it stands in the CRD; observedGeneration is stamped by Metacontroller. */
export const balancerStatusSchema = z
  .object({
    resourceId: z
      .string()
      .max(RESOURCE_ID_MAX_LENGTH)
      .meta({ description: 'The id in the names of all children; settled once.' })
      .optional(),
    conditions: conditionListSchema.optional(),
    observedGeneration: z
      .int()
      .min(0)
      .meta({ description: 'metadata.generation that was last answered.' })
      .optional(),
  })
  .meta({ description: 'What balancerd is.' });

/**
 * Reads the spec of a Balancer as it came, null meaning absent. Fails with every problem at once; fields that mean nothing
 * here are no problem, and are listed.
 */
export function parseBalancerSpec(
  raw: unknown,
): Result<
  { readonly spec: BalancerSpec; readonly unknownFields: readonly string[] },
  readonly BalancerProblem[]
> {
  const present = withoutNulls(raw ?? undefined);
  const wire = readBySchema(balancerSpecSchema, present, 'spec');
  if (!wire.ok) return err(wire.error.map((problem) => ({ ...problem, reason: 'InvalidField' })));
  const routing = readRouting(wire.value);
  if (!routing.ok) return err([routing.error]);
  return ok({
    spec: toBalancerSpec(wire.value, routing.value),
    unknownFields: unknownFields(balancerSpecSchema, present, 'spec'),
  });
}

type BalancerWireSpec = z.output<typeof balancerSpecSchema>;

/** The hook's twin of `routingRules`. */
function readRouting({
  staticRouting,
  fronteggRouting,
}: BalancerWireSpec): Result<BalancerSpec['routing'], BalancerProblem> {
  if (staticRouting !== undefined && fronteggRouting !== undefined)
    return err({ path: 'spec', message: PROBLEM_TEXTS.multipleRoutings, reason: 'MultipleRoutings' });
  if (fronteggRouting !== undefined)
    return err({ path: 'spec', message: PROBLEM_TEXTS.frontegg, reason: 'FronteggNotImplemented' });
  if (staticRouting === undefined)
    return err({ path: 'spec', message: PROBLEM_TEXTS.noRouting, reason: 'NoRouting' });
  return ok(staticRouting);
}

function toBalancerSpec(wire: BalancerWireSpec, routing: BalancerSpec['routing']): BalancerSpec {
  return {
    image: wire.balancerdImageRef,
    replicas: wire.replicas,
    resources: wire.resourceRequirements,
    externalCertificate: toCertificateSpec(wire.externalCertificateSpec),
    internalCertificate: toCertificateSpec(wire.internalCertificateSpec),
    podAnnotations: wire.podAnnotations ?? {},
    podLabels: wire.podLabels ?? {},
    configMapName: wire.configmapName,
    routing,
    resourceId: wire.resourceId,
  };
}
