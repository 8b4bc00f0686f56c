import { de } from './de.ts';
import { en } from './en.ts';
import { pseudo } from './pseudo.ts';
import type { Messages } from './text.ts';

export type Language = {
  /** By its own name, for those who look for it. */
  name: string;
  direction: 'ltr' | 'rtl';
  messages: Messages;
  /** How dates and numbers are written, where not as the tag says. */
  formats?: string;
  /** For those who test screens: never offered, and given only to who asks for its very tag. */
  hidden?: true;
};

/**
 * The languages of the screens that a person meets, by their tags (RFC 5646). A further one is its
 * file of messages and a line here.
 */
export const languages = {
  en: { name: 'English', direction: 'ltr', messages: en },
  de: { name: 'Deutsch', direction: 'ltr', messages: de },
  'ar-XB': { name: 'Pseudo', direction: 'rtl', messages: pseudo, formats: 'en', hidden: true },
} as const satisfies Record<string, Language>;

/** The tag of a language in the table above; nothing else is ever written into a page. */
export type Locale = keyof typeof languages;

export const defaultLocale: Locale = 'en';

export const allLocales = Object.keys(languages) as Locale[];

/** Those that are offered to people, and to clients in the metadata. */
export const offeredLocales = allLocales.filter((tag) => !('hidden' in languages[tag]));

/** What `<html>` says of a language. */
export function attributesOf(locale: Locale): { lang: Locale; dir: 'ltr' | 'rtl' } {
  return { lang: locale, dir: languages[locale].direction };
}

/** The tag that dates and numbers are written by. */
export function formatsOf(locale: Locale): string {
  const language: Language = languages[locale];
  return language.formats ?? locale;
}
