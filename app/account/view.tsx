import type { ReactNode } from 'react';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { AppMark } from '../ui/app-mark.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Input } from '../ui/input.tsx';
import { rich } from '../ui/rich.tsx';
import { stripBidi, UserText } from '../ui/user-text.tsx';
import { Ago } from './ui/ago.tsx';

export type Tile = {
  clientId: string;
  name: string;
  description?: string;
  logo?: string;
  /** The address that opens it, if it has one. */
  start?: string;
  /** The user has allowed it, or has arranged it among their apps. */
  used: boolean;
  /** ISO time. */
  lastUsedAt?: string;
  /** Its page in this account, once the user has allowed it. */
  href?: string;
};

type HomeProps = {
  apps: readonly Tile[];
  /** There are more apps than are shown. */
  more: boolean;
  search: string;
  /** At least one app has access, whether or not it can be opened. */
  connected: boolean;
  locale: Locale;
};

/** With more apps than this, they can be searched. */
const many = 12;

/** The account's start page: the apps that the user may use, to open and to manage. */
export function HomeView({ apps, more, search, connected, locale }: HomeProps) {
  const text = textIn(locale);
  const searchable = more || apps.length > many || search !== '';
  return (
    <section aria-labelledby="apps">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="apps" className="text-lg font-semibold tracking-tight">
          {text('nav.apps')}
        </h2>
        {search === '' && apps.length > 1 && (
          <a className="gh-link inline-block py-1 text-sm" href="/account/arrange">
            {text('arrange.title')}
          </a>
        )}
      </div>
      {searchable && <Search search={search} locale={locale} />}
      {apps.length === 0 ? (
        <EmptyState
          title={text(search ? 'home.searchNone' : 'home.startNone')}
          text={text(search ? 'home.searchNoneText' : 'home.startNoneText')}
        />
      ) : (
        <Apps apps={apps} search={search} locale={locale} />
      )}
      {more && <p className="mt-3 text-ink-soft">{text('home.more')}</p>}
      {connected && (
        <p className="mt-4">
          <a className="gh-link inline-block py-1" href="/account/apps">
            {text('home.appsAccess')}
          </a>
        </p>
      )}
    </section>
  );
}

/** Unused ones are folded, unless there is nothing else or the user searches. */
function Apps({ apps, search, locale }: Pick<HomeProps, 'apps' | 'search' | 'locale'>): ReactNode {
  const used = apps.filter((app) => app.used);
  const others = apps.filter((app) => !app.used);
  if (used.length === 0 || search !== '') return <Tiles apps={apps} locale={locale} />;
  return (
    <>
      <Tiles apps={used} locale={locale} />
      {others.length > 0 && (
        <details className="mt-4">
          <summary className="cursor-pointer py-1 font-semibold text-accent">
            {textIn(locale)('home.otherApps')}
          </summary>
          <div className="mt-3">
            <Tiles apps={others} locale={locale} />
          </div>
        </details>
      )}
    </>
  );
}

function Tiles({ apps, locale }: Pick<HomeProps, 'apps' | 'locale'>): ReactNode {
  return (
    <ul className="grid gap-3 sm:grid-cols-2">
      {apps.map((app) => (
        <AppTile key={app.clientId} app={app} locale={locale} />
      ))}
    </ul>
  );
}

function Search({ search, locale }: Pick<HomeProps, 'search' | 'locale'>): ReactNode {
  const text = textIn(locale);
  return (
    <search className="mb-4">
      <form method="get" action="/account" className="flex flex-wrap items-center gap-3">
        <Input
          type="search"
          name="q"
          aria-label={text('home.search')}
          placeholder={text('home.search')}
          defaultValue={search}
          maxLength={100}
          autoComplete="off"
          className="min-w-0 flex-1 basis-48"
        />
        <Button kind="secondary">{text('home.searchSubmit')}</Button>
        {search && (
          <a className="gh-link py-2" href="/account">
            {text('home.searchAll')}
          </a>
        )}
      </form>
    </search>
  );
}

function AppTile({ app, locale }: { app: Tile; locale: Locale }) {
  const text = textIn(locale);
  return (
    <li className="relative flex items-start gap-3.5 rounded-2xl border border-line bg-surface p-4 hover:border-line-strong">
      <AppMark id={app.clientId} name={app.name} image={app.logo} className="size-12 text-xl" />
      <div className="min-w-0 flex-1">
        <h3 className="font-semibold wrap-anywhere">
          {app.start ? (
            // Covers the tile. With `noreferrer` the app does not learn which page led to it.
            <a
              href={app.start}
              rel="noreferrer"
              target="_blank"
              className="after:absolute after:inset-0 after:rounded-2xl hover:underline"
            >
              <UserText text={app.name} />
            </a>
          ) : (
            <UserText text={app.name} />
          )}
        </h3>
        {app.description && (
          <p className="line-clamp-2 text-sm wrap-anywhere">
            <UserText text={app.description} />
          </p>
        )}
        <p className="text-sm text-ink-soft">
          {app.lastUsedAt
            ? rich('home.tileUsed', { date: <Ago at={app.lastUsedAt} locale={locale} /> }, locale)
            : text(app.used ? 'home.tileAllowed' : 'home.tileUnused')}
        </p>
      </div>
      {app.href && (
        // Lies above the link that covers the tile.
        <a
          className="gh-link relative z-1 inline-block py-1 text-sm"
          href={app.href}
          aria-label={text('apps.detailsLabel', { app: stripBidi(app.name) })}
        >
          {text('apps.details')}
        </a>
      )}
    </li>
  );
}
