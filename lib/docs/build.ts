import { contentsOf, type Entry, type Group } from './contents.ts';
import { exampleIssuer } from './escape.ts';
import { mainSections, type Rendered, renderPage } from './markdown.ts';
import { recipeSources } from './recipe-text.ts';
import type { IndexEntry } from './search.ts';
import { addressOf, readSources, type Source } from './source.ts';

/** A page, ready to be served. */
export type DocsPage = {
  path: string;
  title: string;
  html: string;
  /** Whether it contains the example issuer, which is replaced with the address of the server. */
  namesServer: boolean;
  /** The page in Markdown. */
  markdown: string;
  /** The sections of a long page. */
  sections: { id: string; heading: string }[];
  next: Entry | null;
};

export type Docs = { contents: Group[]; pages: DocsPage[]; index: IndexEntry[] };

/** Pages for developers who connect an app: their examples use the address of this server. */
const aboutThisServer = (path: string) =>
  /^(connect|endpoints|mcp|(api|guides|recipes)(\/.*)?)$/.test(path);

/** Pages in whose code this machine is the server. On other pages it is the machine of the app. */
const runsServer = (path: string) => aboutThisServer(path) && !/^(guides|recipes)\//.test(path);

/** Builds all pages below docs/, ready to be served. */
export function buildDocs(): Docs {
  const sources = [...readSources(), ...recipeSources()];
  const files = new Set(sources.map(({ file }) => file));
  const home = sources.find(({ path }) => path === '');
  const shown = sources
    .filter(({ path }) => path !== '')
    .map((source) => shownAs(withAddress(source), files));
  const contents = withOthers(home ? contentsOf(home, files) : [], shown);
  const order = contents.flatMap(({ entries }) => entries);
  return {
    contents,
    pages: shown.map((page) => pageOf(page, order)),
    index: shown.flatMap(entriesOf),
  };
}

type Shown = Rendered & { path: string; markdown: string };

const shownAs = (source: Source, files: ReadonlySet<string>): Shown => ({
  ...renderPage(source, files),
  path: source.path,
  markdown: source.text,
});

/**
 * Adds pages that docs/README.md leaves out, at the end. Decisions, the API and recipes have lists
 * of their own.
 */
function withOthers(groups: readonly Group[], pages: readonly Shown[]): Group[] {
  const listed = new Set(groups.flatMap(({ entries }) => entries.map(({ href }) => href)));
  const entries = pages
    .filter(({ path }) => !listed.has(addressOf(path)) && !/^(decisions|api|recipes)\//.test(path))
    .map(({ path, title }) => ({ href: addressOf(path), title, line: '' }));
  return [...groups, ...(entries.length > 0 ? [{ title: 'More', entries }] : [])];
}

/**
 * Replaces the address of this machine in code with that of this server, on pages for developers.
 */
function withAddress(source: Source): Source {
  if (!runsServer(source.path)) return source;
  const text = source.text.replace(/^```.*?^```$/gms, (code) =>
    code.replaceAll('http://localhost:3000', exampleIssuer),
  );
  return { ...source, text };
}

function pageOf(
  { path, title, html, sections, markdown }: Shown,
  order: readonly Entry[],
): DocsPage {
  const at = order.findIndex(({ href }) => href === addressOf(path));
  return {
    path,
    title,
    html,
    namesServer: aboutThisServer(path),
    markdown,
    sections: mainSections(sections),
    // Guides end with their own next step.
    next: (at >= 0 && !path.startsWith('guides/') && order[at + 1]) || null,
  };
}

function entriesOf({ path, title, sections }: Shown): IndexEntry[] {
  return sections.map(({ id, heading, text, also }) => ({
    href: addressOf(path) + (id ? `#${id}` : ''),
    page: title,
    heading,
    text,
    ...(also && { also }),
  }));
}
