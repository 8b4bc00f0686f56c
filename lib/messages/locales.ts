import { de } from './compiled/de.ts';
import { en } from './compiled/en.ts';
import type { Message, Messages } from './message.ts';
import { pseudo } from './pseudo.ts';

type Language = {
  /** The language's own name, for the language menu. */
  name: string;
  direction: 'ltr' | 'rtl';
  /** What is missing is shown in English. */
  messages: Partial<Messages>;
  /** Translated for people alone: the dashboard is in English. */
  only?: 'people';
  /**
   * Never offered, only used when asked for by its exact tag: a variety that differs in dates and
   * numbers alone (formats.ts), or one for testing screens.
   */
  hidden?: true;
};

/**
 * The languages of the screens, by tag (RFC 5646). To add one, add a folder with its `people.json`
 * to `catalogues` and a line here, with `only: 'people'` while the other files are missing.
 */
export const languages = {
  en: { name: 'English', direction: 'ltr', messages: en },
  'en-GB': { name: 'English (UK)', direction: 'ltr', messages: en, hidden: true },
  de: { name: 'Deutsch', direction: 'ltr', messages: de },
  'ar-XB': {
    name: 'Pseudo',
    direction: 'rtl',
    get messages() {
      return pseudo();
    },
    hidden: true,
  },
} as const satisfies Record<string, Language>;

/** A tag from the table above; nothing else is ever written into a page. */
export type Locale = keyof typeof languages;

export const defaultLocale: Locale = 'en';

export const allLocales = Object.keys(languages) as Locale[];

/** The languages offered to people, and to clients in the metadata. */
export const offeredLocales = allLocales.filter((tag) => !('hidden' in languages[tag]));

/** A message in a language, or in English if the language lacks it. */
export function messageOf(locale: Locale, key: keyof Messages): Message {
  const { messages }: Language = languages[locale];
  return messages[key] ?? en[key];
}

/** The language of the dashboard for an admin who reads this one. */
export const inDashboard = (locale: Locale): Locale =>
  'only' in languages[locale] ? defaultLocale : locale;

/** The `lang` and `dir` attributes of a language. */
export function attributesOf(locale: Locale): { lang: Locale; dir: 'ltr' | 'rtl' } {
  return { lang: locale, dir: languages[locale].direction };
}
