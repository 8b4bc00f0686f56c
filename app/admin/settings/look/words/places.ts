import { wordLanguages } from '#lib/management/branding/words.ts';
import { type Locale, languages } from '#lib/messages/locales.ts';
import type { Text } from '#lib/messages/text.ts';
import { anyLanguage, type Place } from '#lib/own-words.ts';
import { knownOption } from '../../../../params.ts';
import { settingsAt } from '../../tabs.ts';

/** @param language any text; only a known language is in the address */
export function wordsPage(place: Place, language?: string): string {
  const tag = knownOption(wordLanguages, language);
  return `${settingsAt('look')}/words/${place}${tag ? `?language=${tag}` : ''}`;
}

export const languageName = (text: Text, tag: string): string =>
  tag === anyLanguage ? text('words.anyLanguage') : languages[tag as Locale].name;
