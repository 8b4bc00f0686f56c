import { rmSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { programs } from './programs.ts';
import { root } from './stamp.mjs';

/**
 * Packages that consist of many small files of pure JavaScript. All others are loaded unbundled.
 */
const inlined = ['jose', 'oauth4webapi', 'openid-client', 'yaml', 'zod'];

/**
 * Bundles the server and the command line, so that a start reads a few files instead of nine
 * hundred, which halves its time. Next.js builds the pages.
 */
async function bundlePrograms(): Promise<void> {
  await bundle('lib/server.ts', dirname(programs.server));
  await bundle('lib/cli.ts', dirname(programs.cli));
}

async function bundle(program: string, folder: string): Promise<void> {
  rmSync(resolve(root, folder), { recursive: true, force: true });
  const made = await rolldown({
    input: { main: program },
    cwd: root,
    platform: 'node',
    external: isExternal,
    plugins: [keepPlaces(folder)],
    // The transform below keeps all lines in place, so the source maps stay valid.
    checks: { sourcemapBroken: false },
  });
  await made.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    sourcemap: true,
    // Sources are not embedded, because the checkout has them.
    sourcemapExcludeSources: true,
  });
  await made.close();
}

const isExternal = (id: string): boolean => {
  const [, name] = /^((?:@[^/]+\/)?[^./#@][^/]*)/.exec(id) ?? [];
  return name !== undefined && !inlined.includes(name) && !name.startsWith('@oxc-project/');
};

/** Derived from a file's own location. Bundles its worker threads too. */
const keepPlaces = (folder: string): Plugin => ({
  name: 'keep-places',
  transform(code, id) {
    if (!id.startsWith(resolve(root, 'lib')) || !code.includes('import.meta.')) return null;
    const place = resolve(root, folder);
    const way = relative(place, id);
    return code
      .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${dirname(way)}')`)
      .replaceAll('fileURLToPath(import.meta.url)', `(import.meta.dirname + '/${way}')`)
      .replace(/new URL\(\s*'(\.\.\/[^'\n]+)',(\s*)import\.meta\.url/g, (_, to, rest) => {
        return `new URL('${relative(place, resolve(dirname(id), to))}',${rest}import.meta.url`;
      })
      .replace(/new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g, (_, name: string) => {
        this.emitFile({
          type: 'chunk',
          id: resolve(dirname(id), `${name}.ts`),
          fileName: `${name}.mjs`,
        });
        return `new URL('./${name}.mjs', import.meta.url)`;
      });
  },
});

if (import.meta.main) await bundlePrograms();
