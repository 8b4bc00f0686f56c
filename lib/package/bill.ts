import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Architecture, filesFor, nodeFor, packageFolder, packageOf } from './architecture.ts';
import { bundledPackages } from './traced.ts';

type Locked = { version: string; integrity?: string };

/**
 * Makes the bill of materials (CycloneDX 1.6): every package that is in the folder or went into the
 * build, and Node.js. It contains no time, and its serial number is derived from its content.
 */
export function billOfMaterials(
  root: string,
  traced: readonly string[],
  arch: Architecture,
): string {
  const read = (path: string) => JSON.parse(readFileSync(resolve(root, path), 'utf8'));
  const { packages } = read('package-lock.json') as { packages: Record<string, Locked> };
  const { version, license } = read('package.json');
  const inside = filesFor(root, traced, arch).map(({ path }) => packagePath(path));
  const bundled = bundledPackages(root).map((name) => `node_modules/${name}`);
  const paths = [...inside, ...bundled, `node_modules/${nodeFor(arch)}`];
  const components = [...new Set(paths)]
    .sort()
    .flatMap((path) =>
      path !== '' && packages[path] ? [component(root, path, packages[path])] : [],
    );
  const said = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        type: 'application',
        'bom-ref': `gatehouse@${version}`,
        name: 'gatehouse',
        version,
        licenses: [{ license: { id: license } }],
      },
    },
    components,
  };
  return `${JSON.stringify({ serialNumber: numberOf(said), ...said }, null, 1)}\n`;
}

/**
 * The folder of the package that contains a file, as the lock file names it; empty if there is
 * none.
 */
const packagePath = (file: string): string =>
  /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? '';

function component(root: string, path: string, { version, integrity = '' }: Locked) {
  const name = packageOf(`${path}/`);
  const [, sha512] = /^sha512-(.+)$/.exec(integrity) ?? [];
  const licence = licenceOf(root, path, name);
  return {
    type: 'library',
    'bom-ref': `${path.replace('node_modules/', '')}@${version}`,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(sha512 && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }],
    }),
    ...(licence && { licenses: [{ expression: licence }] }),
  };
}

function licenceOf(root: string, path: string, name: string): string | undefined {
  const installed = resolve(root, path, 'package.json');
  const file = existsSync(installed)
    ? installed
    : resolve(packageFolder(root, name), 'package.json');
  const { license } = JSON.parse(readFileSync(file, 'utf8')) as { license?: string };
  return typeof license === 'string' ? license : undefined;
}

/** A UUID derived from the content (version 8, RFC 9562 section 5.8). */
function numberOf(said: object): string {
  const hex = createHash('sha256').update(JSON.stringify(said)).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ];
  return `urn:uuid:${[...parts, hex.slice(20, 32)].join('-')}`;
}
