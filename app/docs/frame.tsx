import type { ReactNode } from 'react';
import type { Contents } from '#lib/docs/contents.ts';
import { longestQuery } from '#lib/docs/search.ts';
import { readContents } from '#lib/docs/shelf.ts';
import { docsWords as words } from '#lib/messages/docs.ts';
import { defaultLocale } from '#lib/messages/locales.ts';
import { Button } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Shell } from '../ui/shell.tsx';

type FrameProps = {
  title: string;
  text?: ReactNode;
  /** The address of the page, marked in the navigation. */
  current?: string;
  query?: string;
  children: ReactNode;
};

/** The frame of a documentation page: the search, the page, the navigation. */
export async function DocsFrame({ title, text, current = '/docs', query, children }: FrameProps) {
  const { groups } = await readContents();
  return (
    <Shell title={title} width="wide" locale={defaultLocale}>
      <div className="doc-frame">
        <div className="doc-find">
          <SearchForm query={query} />
          <a className="gh-link text-sm lg:hidden" href="#pages">
            {words.pages}
          </a>
        </div>
        <article className="doc-main">
          <PageHeader title={title} text={text} />
          {children}
        </article>
        <Pages groups={groups} current={current} />
      </div>
    </Shell>
  );
}

function SearchForm({ query }: { query?: string }) {
  return (
    <search>
      <form action="/docs" className="flex gap-2">
        <label htmlFor="docs-query" className="sr-only">
          {words.search}
        </label>
        <input
          id="docs-query"
          type="search"
          name="q"
          defaultValue={query}
          maxLength={longestQuery}
          placeholder={words.searchButton}
          autoComplete="off"
        />
        <Button kind="secondary" className="shrink-0">
          {words.searchButton}
        </Button>
      </form>
    </search>
  );
}

function Pages({ groups, current }: { groups: Contents['groups']; current: string }) {
  return (
    <nav id="pages" aria-label={words.pages} className="doc-pages">
      <a href="/docs" aria-current={current === '/docs' ? 'page' : undefined}>
        {words.title}
      </a>
      {groups.map((group) => (
        <div key={group.title}>
          <h2>{group.title}</h2>
          <ul>
            {group.entries.map(({ href, title }) => (
              <li key={href}>
                <a href={href} aria-current={href === current ? 'page' : undefined}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
