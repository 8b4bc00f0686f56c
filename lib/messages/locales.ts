import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { projectRoot } from '../config.ts';
import { en } from './compiled/en.ts';
import type { Message, Messages } from './message.ts';
import { pseudo } from './pseudo.ts';

type Language = {
  /** The language's own name, for the language menu. */
  name: string;
  direction: 'ltr' | 'rtl';
  /** Translated for people alone: the dashboard is in English. */
  only?: 'people';
  /** No one who grew up with the language has read the messages yet, which the pages say. */
  unread?: true;
  /** Never offered, only used when asked for by its exact tag. */
  hidden?: true;
};

/**
 * The languages of the screens, by tag (RFC 5646): those of the dashboard, then the others in the
 * order of their tags. To add one, add a folder with its `people.json` to `catalogues` and a line
 * here, with `only: 'people'` while the other files are missing. What a variety of English lacks is
 * as in English.
 */
export const languages = {
  en: { name: 'English', direction: 'ltr' },
  'en-GB': { name: 'English (UK)', direction: 'ltr' },
  de: { name: 'Deutsch', direction: 'ltr' },
  ar: { name: 'العربية', direction: 'rtl', only: 'people', unread: true },
  cs: { name: 'Čeština', direction: 'ltr', only: 'people', unread: true },
  da: { name: 'Dansk', direction: 'ltr', only: 'people', unread: true },
  es: { name: 'Español', direction: 'ltr', only: 'people', unread: true },
  fr: { name: 'Français', direction: 'ltr', only: 'people', unread: true },
  he: { name: 'עברית', direction: 'rtl', only: 'people', unread: true },
  it: { name: 'Italiano', direction: 'ltr', only: 'people', unread: true },
  ja: { name: '日本語', direction: 'ltr', only: 'people', unread: true },
  nl: { name: 'Nederlands', direction: 'ltr', only: 'people', unread: true },
  pl: { name: 'Polski', direction: 'ltr', only: 'people', unread: true },
  'pt-BR': { name: 'Português (Brasil)', direction: 'ltr', only: 'people', unread: true },
  sv: { name: 'Svenska', direction: 'ltr', only: 'people', unread: true },
  tr: { name: 'Türkçe', direction: 'ltr', only: 'people', unread: true },
  uk: { name: 'Українська', direction: 'ltr', only: 'people', unread: true },
  'zh-Hans': { name: '简体中文', direction: 'ltr', only: 'people', unread: true },
  'ar-XB': { name: 'Pseudo', direction: 'rtl', hidden: true },
} as const satisfies Record<string, Language>;

/** A tag from the table above; nothing else is ever written into a page. */
export type Locale = keyof typeof languages;

export const defaultLocale: Locale = 'en';

export const allLocales = Object.keys(languages) as Locale[];

/** The languages offered to people, and to clients in the metadata. */
export const offeredLocales = allLocales.filter((tag) => !('hidden' in languages[tag]));

/** Languages with no catalogue of their own. */
const made: Readonly<Partial<Record<Locale, () => Partial<Messages>>>> = {
  en: () => en,
  // For testing screens.
  'ar-XB': pseudo,
};

/** What this process has used of the catalogues. */
const kept: Partial<Record<Locale, Partial<Messages>>> = {};

/** The messages of a language, read when first used. What is missing is shown in English. */
export function messagesOf(locale: Locale): Partial<Messages> {
  kept[locale] ??= made[locale]?.() ?? readMessages(locale);
  return kept[locale];
}

/** What the build compiled (lib/tooling/messages.ts). */
function readMessages(locale: Locale): Partial<Messages> {
  const folder = resolve(/* turbopackIgnore: true */ projectRoot, 'lib/messages/compiled');
  return JSON.parse(readFileSync(`${folder}/${locale}.json`, 'utf8'));
}

/** A message in a language, or in English if the language lacks it. */
export const messageOf = (locale: Locale, key: keyof Messages): Message =>
  messagesOf(locale)[key] ?? en[key];

/** The language of the dashboard for an admin who reads this one. */
export const inDashboard = (locale: Locale): Locale =>
  'only' in languages[locale] ? defaultLocale : locale;

/** The `lang` and `dir` attributes of a language. */
export function attributesOf(locale: Locale): { lang: Locale; dir: 'ltr' | 'rtl' } {
  return { lang: locale, dir: languages[locale].direction };
}

/** Whether the messages of a language still wait for someone who grew up with it. */
export const isUnread = (locale: Locale): boolean => 'unread' in languages[locale];
