import type { Fields } from '../kubernetes/objects.ts';
import type { Blueprint } from './blueprint.ts';
import { certificateSecretName } from './identity.ts';

export const CONFIG_DIRECTORY = '/etc/balancerd';
export const CONFIG_FILE = 'config.json';
export const TLS_DIRECTORY = '/etc/external_tls';

/** Readable by its owner alone: 0400, as JSON has no octal numbers. */
const OWNER_READS = 256;

interface Mounted {
  readonly volume: Fields;
  readonly mount: Fields;
}

/**
 * What is mounted into balancerd, in orchestratord's order. A directory is mounted, never a file by subPath: the kubelet
 * does not update those.
 */
export function mountedVolumes(blueprint: Blueprint): readonly Mounted[] {
  return [...dynamicConfig(blueprint), ...externalCertificate(blueprint)];
}

function dynamicConfig({ spec }: Blueprint): readonly Mounted[] {
  if (spec.configMapName === undefined) return [];
  const configMap = {
    name: spec.configMapName,
    items: [{ key: CONFIG_FILE, path: CONFIG_FILE }],
    optional: false,
  };
  return [
    { volume: { name: 'dynamic-config', configMap }, mount: readOnly('dynamic-config', CONFIG_DIRECTORY) },
  ];
}

function externalCertificate({ identity, tls }: Blueprint): readonly Mounted[] {
  if (!tls.external) return [];
  const secret = {
    secretName: certificateSecretName(identity),
    defaultMode: OWNER_READS,
    optional: false,
  };
  return [
    {
      volume: { name: 'external-certificate', secret },
      mount: readOnly('external-certificate', TLS_DIRECTORY),
    },
  ];
}

function readOnly(name: string, mountPath: string): Fields {
  return { name, mountPath, readOnly: true };
}
