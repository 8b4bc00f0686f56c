import { formatsOf } from '#lib/messages/formats.ts';
import { defaultLocale } from '#lib/messages/locales.ts';
import type { Text } from '#lib/messages/text.ts';
import { dayOf } from '#lib/messages/zone.ts';
import { may, type Role } from '#lib/people/roles.ts';
import { needToOpen, type Page, pageRows } from '../pages.ts';
import { settingsAt, settingsTabs } from '../settings/tabs.ts';

/** A page, or the start of a task, with the words people use for it. */
export type Place = { href: string; name: string; about: string };

/** The places of the dashboard that this role may open. */
export function placesFor(role: Role, text: Text) {
  const mayOpen = ({ href }: Place) => may(role, needToOpen(href));
  const listed = pageRows.filter(([, { words }]) => words !== undefined);
  const placesOf = (wanted: (page: Page) => boolean) =>
    listed.filter(([, page]) => wanted(page)).map(([href, page]) => placeOf(text, href, page));
  const sections = placesOf(({ icon }) => icon !== undefined);
  const others = placesOf(({ icon, task }) => icon === undefined && task === undefined);
  return {
    actions: placesOf(({ task }) => task !== undefined).filter(mayOpen),
    pages: [...sections, ...views(text), ...others].filter(mayOpen),
  };
}

function placeOf(text: Text, href: string, { title, task, words }: Page): Place {
  const name = text(task ?? title ?? 'frame.title');
  const isTab = settingsTabs.some((tab) => settingsAt(tab) === href);
  return {
    href,
    name: isTab ? text('search.settingsPage', { tab: name }) : name,
    about: words ? text(words) : '',
  };
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
