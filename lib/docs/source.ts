import { globSync, readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { projectRoot } from '../config.ts';

/**
 * A file below docs/ and its path on the server: docs/mcp.md is at /docs/mcp, a README at its
 * folder.
 */
export type Source = { file: string; path: string; text: string };

/** The data of recipes, which get pages of their own (`recipe-text.ts`). */
const ofRecipes = /^docs\/recipes\/(?!README\.md$)/;

/** All pages below docs/, by their path. */
export function readSources(): Source[] {
  const cwd = resolve(/* turbopackIgnore: true */ projectRoot);
  return globSync('docs/**/*.md', { cwd })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((file) => !ofRecipes.test(file))
    .toSorted()
    .map((file) => ({
      file,
      path: pathOf(file),
      text: readFileSync(resolve(/* turbopackIgnore: true */ cwd, file), 'utf8'),
    }));
}

/** The path of a file below /docs. */
export function pathOf(file: string): string {
  return posix.relative('docs', file.replace(/(\/README)?\.md$/, ''));
}

/** The address of a page. */
export const addressOf = (path: string): string => (path === '' ? '/docs' : `/docs/${path}`);

/** The target of a link in a page. */
type Place =
  | { kind: 'page'; href: string }
  | { kind: 'elsewhere'; href: string }
  /** A file of the repository that the server does not show. */
  | { kind: 'file'; path: string };

/** Resolves a link in a file: to a page of the server, into the repository, or to another site. */
export function placeOf(href: string, from: string, files: ReadonlySet<string>): Place {
  if (/^https?:\/\//.test(href)) return { kind: 'elsewhere', href };
  if (href.startsWith('#') || href.startsWith('/')) return { kind: 'page', href };
  const [target = '', anchor] = href.split('#');
  const path = posix.join(posix.dirname(from), target).replace(/\/$/, '');
  const file = [path, `${path}/README.md`].find((each) => files.has(each));
  if (!file) return { kind: 'file', path };
  return { kind: 'page', href: addressOf(pathOf(file)) + (anchor ? `#${anchor}` : '') };
}

/** Whether a page is about this program itself: why it is so, what was measured, how it is changed. */
export const isBackground = (path: string): boolean =>
  /^(contributing|decisions|speed|scale|conformance)\b/.test(path);
