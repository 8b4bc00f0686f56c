import { search as searchDocs } from '#lib/docs/search.ts';
import { readIndex } from '#lib/docs/shelf.ts';
import { attemptOf, type Found, searchAll } from '#lib/management/search.ts';
import type { Text } from '#lib/messages/text.ts';
import { ofTotal } from '#lib/messages/total.ts';
import { may, type Role } from '#lib/people/roles.ts';
import { pictureOf } from '#lib/store/logos.ts';
import { monogramOf } from '../../ui/monogram.ts';
import { describeScope } from '../../ui/scope-list.tsx';
import { clientPage, scopePage } from '../addresses.ts';
import { kindOf } from '../clients/kind-of.ts';
import { addressOf } from '../settings/tabs.ts';
import { hrefOf } from '../ui/href.ts';
import { daysFor, type Place, placesFor, placesMeant } from './places.ts';

export type Line = {
  href: string;
  name: string;
  about: string;
  /** For an app: its picture, or the monogram in its place. */
  app?: { id: string; image?: string | undefined; letter: string; colour: number };
  isPerson?: boolean;
  /** Further words by which it is found. */
  words?: string;
  off?: boolean;
};

/** The results of one kind, and where to find the rest. */
export type LineGroup = {
  id: string;
  title: string;
  lines: readonly Line[];
  more?: { label: string; href: string } | null;
};

/** The maximum length of a search, in characters; no name is longer. */
export const longestSearch = 200;
const mostDocs = 4;

/**
 * Everything a text could mean that this role may see, grouped by kind. A request ID leads to its
 * attempt.
 */
export async function findLines(
  q: string,
  role: Role,
  text: Text,
  zone: string,
): Promise<LineGroup[]> {
  const { actions, pages } = placesFor(role, text);
  const places = [...pages, ...daysFor(role, text, zone, new Date())];
  const attempt = may(role, 'see-everything') ? await attemptOf(q) : null;
  const groups = [
    {
      id: 'attempts',
      title: text('attempts.title'),
      lines: attempt ? [attemptLine(attempt, q, text)] : [],
    },
    { id: 'pages', title: text('search.pages'), lines: placesMeant(places, q).map(lineOf) },
    { id: 'actions', title: text('search.actions'), lines: placesMeant(actions, q).map(lineOf) },
    ...groupsOf(text, await searchAll(q, role, text), q),
    { id: 'docs', title: text('search.docs'), lines: await docsLines(q) },
  ];
  return groups.filter(({ lines }) => lines.length > 0);
}

/**
 * What is offered before anything is typed, with the words by which the browser finds it while the
 * server searches.
 */
export function offeredLines(role: Role, text: Text): LineGroup[] {
  const { actions, pages } = placesFor(role, text);
  const withWords = (place: Place) => ({ ...lineOf(place), words: place.about });
  return [
    { id: 'pages', title: text('search.pages'), lines: pages.map(withWords) },
    { id: 'actions', title: text('search.actions'), lines: actions.map(withWords) },
  ].filter(({ lines }) => lines.length > 0);
}

/** The line of a place. Its further words only help to find it, so they are not shown. */
const lineOf = ({ href, name }: Place): Line => ({ href, name, about: '' });

const attemptLine = (id: string, q: string, text: Text): Line => ({
  href: `/admin/traces/${id}`,
  name: text('attempts.one'),
  about: q,
});

async function docsLines(q: string): Promise<Line[]> {
  const { hits, isQuestion } = searchDocs(await readIndex(), q);
  if (!isQuestion) return [];
  return hits.slice(0, mostDocs).map(({ href, page, heading }) => ({
    href,
    name: heading.map(({ text }) => text).join(''),
    about: page,
  }));
}

function groupsOf(text: Text, found: Found, q: string): LineGroup[] {
  const { apps, people, groups, scopes, apis, settings } = found;
  const more = (has: boolean, label: string, path: string) =>
    has ? { label, href: hrefOf(path, { q }) } : null;
  return [
    {
      id: 'apps',
      title: text('search.apps'),
      more: more(apps.more, text('search.more.apps'), '/admin/clients'),
      lines: apps.rows.map((app) => appLine(text, app)),
    },
    {
      id: 'people',
      title: text('search.people'),
      more: more(people.more, text('search.more.people'), '/admin/people'),
      lines: people.rows.map(personLine),
    },
    {
      id: 'groups',
      title: text('search.groups'),
      more: more(groups.more, text('search.more.groups'), '/admin/groups'),
      lines: groups.rows.map((group) => groupLine(text, group)),
    },
    {
      id: 'scopes',
      title: text('search.scopes'),
      lines: scopes.rows.map((scope) => scopeLine(text, scope)),
    },
    {
      id: 'apis',
      title: text('search.apis'),
      more: more(apis.more, text('search.more.apis'), '/admin/apis'),
      lines: apis.rows.map(apiLine),
    },
    {
      id: 'settings',
      title: text('search.settings'),
      lines: settings.rows.map((setting) => settingLine(text, setting)),
    },
  ];
}

type Row<Kind extends keyof Found> = Found[Kind]['rows'][number];

const appLine = (text: Text, app: Row<'apps'>): Line => ({
  href: clientPage(app.id),
  name: app.shownName,
  about: `${kindOf(text, app)} · ${app.id}`,
  app: { id: app.id, image: pictureOf(app), ...monogramOf(app.id, app.shownName) },
  off: app.disabledAt !== null,
});

const personLine = ({ id, name, username, email, disabledAt }: Row<'people'>): Line => ({
  href: `/admin/people/${id}`,
  name: name || username,
  about: name ? `${username} · ${email}` : email,
  isPerson: true,
  off: disabledAt !== null,
});

const groupLine = (text: Text, { id, name, description, facts }: Row<'groups'>): Line => ({
  href: `/admin/groups/${id}`,
  name,
  about: description ?? text('groups.memberTotal', ofTotal(facts.members)),
});

const scopeLine = (text: Text, scope: Row<'scopes'>): Line => ({
  href: scopePage(scope.name),
  name: scope.name,
  about: describeScope(scope, text.locale),
});

const apiLine = ({ id, name, identifier }: Row<'apis'>): Line => ({
  href: `/admin/apis/${id}`,
  name,
  about: identifier,
});

const settingLine = (text: Text, setting: Row<'settings'>): Line => ({
  href: addressOf(setting),
  name: text(`settings.names.${setting.key}`),
  about: text(`settings.hints.${setting.key}`),
});
