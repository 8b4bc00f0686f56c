import { formatsOf } from '#lib/messages/formats.ts';
import { defaultLocale } from '#lib/messages/locales.ts';
import type { Text } from '#lib/messages/text.ts';
import { dayOf } from '#lib/messages/zone.ts';
import { may, type Role } from '#lib/people/roles.ts';
import { needToOpen } from '../openings.ts';
import { sectionGroups } from '../sections.ts';
import { settingsAt, settingsTabs } from '../settings/tabs.ts';

/** A page, or the start of a task, with the words people use for it. */
export type Place = { href: string; name: string; about: string };

/** The places of the dashboard that this role may open. */
export function placesFor(role: Role, text: Text) {
  const mayOpen = ({ href }: Place) => may(role, needToOpen(href));
  return { actions: actionsIn(text).filter(mayOpen), pages: pagesIn(text).filter(mayOpen) };
}

/** The places a text could mean: each word of the text is the beginning of one of their words. */
export function placesMeant(places: readonly Place[], q: string): Place[] {
  const sought = wordsOf(q);
  return places.filter(({ name, about }) => {
    const words = wordsOf(`${name} ${about}`);
    return sought.every((part) => words.some((word) => word.startsWith(part)));
  });
}

const wordsOf = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

function actionsIn(text: Text): Place[] {
  return [
    ['/admin/clients/new', text('clients.add'), text('search.words.addApp')],
    ['/admin/people/invite', text('invite.title'), text('search.words.invite')],
    ['/admin/people/import', text('import.palette'), text('search.words.import')],
    ['/admin/people/new', text('people.add'), text('search.words.addPerson')],
    ['/admin/groups/new', text('groups.add'), text('search.words.addGroup')],
    ['/admin/providers/new', text('providers.add'), text('search.words.addProvider')],
    ['/admin/apis/new', text('apis.add'), text('search.words.addApi')],
    ['/admin/scopes/new', text('scopes.add'), text('search.words.addScope')],
    ['/admin/fields/new', text('fields.add'), text('search.words.addField')],
  ].map(([href = '', name = '', about = '']) => ({ href, name, about }));
}

function pagesIn(text: Text): Place[] {
  const sections = sectionGroups
    .flat()
    .map(({ href, label }) => ({ href, name: text(label), about: wordsFor(text, href) }));
  const settings = settingsTabs.map((tab) => ({
    href: settingsAt(tab),
    name: text('search.settingsPage', { tab: text(`settings.tabs.${tab}.label`) }),
    about: text(`search.words.settings.${tab}`),
  }));
  const keys = {
    href: '/admin/settings/keys',
    name: text('keys.title'),
    about: text('search.words.keys'),
  };
  const fields = {
    href: '/admin/fields',
    name: text('fields.title'),
    about: text('search.words.fields'),
  };
  const directories = {
    href: '/admin/directories',
    name: text('directories.title'),
    about: text('search.words.directories'),
  };
  const batches = { href: '/admin/people/batches', name: text('batches.title'), about: '' };
  const matrix = {
    href: '/admin/approvals/matrix',
    name: text('matrix.title'),
    about: text('search.words.matrix'),
  };
  return [...sections, ...views(text), batches, matrix, fields, directories, ...settings, keys];
}

/** Lists with a filter that people ask for by name. */
function views(text: Text): Place[] {
  const view = (href: string, list: string, filter: string, about: string) => ({
    href,
    name: text('search.view', { list, filter }),
    about,
  });
  const people = text('people.title');
  const step = text('people.stepWithout');
  const quiet = text('people.quiet.suggested');
  const [attempts, failed] = [text('attempts.title'), text('attempts.failed')];
  return [
    view('/admin/people?quiet=days90', people, quiet, text('search.words.quiet')),
    view('/admin/people?state=disabled', people, text('people.disabled'), text('search.words.off')),
    view('/admin/people?step=without', people, step, text('search.words.noStep')),
    view('/admin/traces?result=failed', attempts, failed, text('search.words.failed')),
  ];
}

const wordsFor = (text: Text, href: string): string =>
  ({
    '/admin/people': text('search.words.people'),
    '/admin/clients': text('search.words.apps'),
    '/admin/traces': text('search.words.attempts'),
    '/admin/audit': text('search.words.audit'),
  })[href] ?? '';

const oneDay = 24 * 3600_000;

/**
 * The attempts of each of the last eight days, for whoever types its name ("last Tuesday",
 * "yesterday").
 */
export function daysFor(role: Role, text: Text, zone: string, now: Date): Place[] {
  const path = '/admin/traces';
  if (!may(role, needToOpen(path))) return [];
  const tags = [text.locale, defaultLocale].map(formatsOf);
  const style = { weekday: 'long', timeZone: zone } as const;
  const shown = new Intl.DateTimeFormat(tags, { ...style, day: 'numeric', month: 'long' });
  return Array.from({ length: 8 }, (_, ago) => {
    const at = new Date(now.getTime() - ago * oneDay);
    const day = dayOf(at, zone);
    const names = tags.flatMap((tag) => [
      new Intl.DateTimeFormat(tag, style).format(at),
      ...(ago < 2
        ? [new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }).format(-ago, 'day')]
        : []),
    ]);
    return {
      href: `${path}?from=${day}&to=${day}`,
      name: text('search.view', { list: text('attempts.title'), filter: shown.format(at) }),
      about: [...names, ago > 0 ? text('search.words.last') : ''].join(' '),
    };
  });
}
