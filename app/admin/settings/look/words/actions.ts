'use server';

import { showBranding } from '#lib/management/branding/branding.ts';
import { versionOfWords, wordActs } from '#lib/management/branding/word-acts.ts';
import { type Part, type Place, parts } from '#lib/own-words.ts';
import { doneAt, textOf, textOrNull } from '../../../act.ts';
import { doing } from '../../../doing.ts';
import { wordsPage } from './places.ts';

const where = (form: FormData) => ({
  place: textOf(form, 'place') as Place,
  language: textOf(form, 'language'),
});

export const saveWords = doing(
  wordActs.update,
  (form) => ({
    ...where(form),
    ...Object.fromEntries(
      (Object.keys(parts) as Part[])
        .filter((part) => form.has(part))
        .map((part) => [part, textOrNull(form, part)]),
    ),
  }),
  ({ place, language }) => doneAt(wordsPage(place, language), 'words.saved'),
  {
    async seenNow(form) {
      const { place, language } = where(form);
      const { words } = (await showBranding()).brand;
      return versionOfWords(place, language, words[place]?.[language] ?? {});
    },
  },
);

export const resetWords = doing(wordActs.reset, where, ({ place, language }) =>
  doneAt(wordsPage(place, language), 'words.wereReset'),
);
