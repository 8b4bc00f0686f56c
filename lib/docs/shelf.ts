import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { config, projectRoot } from '../config.ts';
import type { Docs, DocsPage } from './build.ts';
import type { Contents } from './contents.ts';
import { llmsFullText } from './llms.ts';
import { type IndexEntry, prepare, type SearchIndex } from './search.ts';

/** The path of a file that the build has made from docs/. */
export const builtFile = (name: string): string =>
  resolve(/* turbopackIgnore: true */ projectRoot, '.next/docs', `${name}.json`);

/** Reads the navigation and the titles. */
export async function readContents(): Promise<Contents> {
  if (isBuilt()) {
    kept.contents ??= readBuilt<Contents>('contents');
    return kept.contents;
  }
  const { contents, pages } = await fromSources();
  return {
    groups: contents,
    titles: Object.fromEntries(pages.map(({ path, title }) => [path, title])),
  };
}

/** A page by its path below /docs; null if there is none. */
export async function findPage(path: string): Promise<DocsPage | null> {
  const { titles } = await readContents();
  if (!Object.hasOwn(titles, path)) return null;
  if (isBuilt()) return readBuilt(`pages/${path}`);
  return (await fromSources()).pages.find((page) => page.path === path) ?? null;
}

/** Reads the index that the search uses. */
export async function readIndex(): Promise<SearchIndex> {
  if (!isBuilt()) return prepare((await fromSources()).index);
  kept.index ??= prepare(readBuilt<IndexEntry[]>('index'));
  return kept.index;
}

/** All pages in one text, for AI tools. */
export async function readWhole(): Promise<string> {
  return isBuilt() ? readBuilt<string>('whole') : llmsFullText((await fromSources()).pages);
}

/** What this process has read of the build. */
const kept: { contents?: Contents; index?: SearchIndex } = {};

const isBuilt = () => config().production && existsSync(builtFile('contents'));

function readBuilt<T>(name: string): T {
  return JSON.parse(readFileSync(builtFile(name), 'utf8')) as T;
}

/** In development, a change in docs/ shows immediately. */
async function fromSources(): Promise<Docs> {
  const { buildDocs } = await import('./build.ts');
  return buildDocs();
}
