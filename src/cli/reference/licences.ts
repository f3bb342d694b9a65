import { z } from 'zod';
import { code, generatedFrom, page, table } from './markdown.ts';

/** A package of the lockfile that is part of the image. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression as the package gives it; empty where it gives none. */
  readonly licence: string;
  /** Subresource integrity of the archive; empty where the lockfile has none. */
  readonly integrity: string;
}

/** npm's lockfile of version 3, as far as it is read. */
const lockfileSchema = z.object({
  lockfileVersion: z.literal(3),
  packages: z.record(
    z.string(),
    z.object({
      version: z.string(),
      license: z.string().default(''),
      integrity: z.string().default(''),
      dev: z.boolean().default(false),
    }),
  ),
});

/** The packages that `npm ci --omit=dev` installs, by name; a lockfile of another version is a bug and throws. */
export function productionPackages(lockfile: string): readonly LockedPackage[] {
  const { packages } = lockfileSchema.parse(JSON.parse(lockfile));
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { version, license, integrity }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license,
      integrity,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** docs/reference/licences.md: what the image has besides Node and our own code. */
export function licencesPage(lockfile: string): string {
  return page(
    generatedFrom('package-lock.json'),
    '# Licences',
    'The npm packages of the image with the licence that each names. Node itself and Debian bring their own, in the image. `make sbom` writes the same as CycloneDX.',
    table(
      ['Package', 'Version', 'Licence'],
      productionPackages(lockfile).map(({ name, version, licence }) => [code(name), version, licence]),
    ),
  );
}
