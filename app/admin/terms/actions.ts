'use server';

import { wordLanguages } from '#lib/management/branding/words.ts';
import { termsActs } from '#lib/management/terms/acts.ts';
import { doneAt, textOf } from '../act.ts';
import { termsPage } from '../addresses.ts';
import { doing } from '../doing.ts';

export const addTerms = doing(
  termsActs.create,
  (form) => ({
    name: textOf(form, 'name'),
    texts: Object.fromEntries(wordLanguages.map((tag) => [tag, textOf(form, `texts.${tag}`)])),
    from: textOf(form, 'from') || undefined,
    days: textOf(form, 'days') || undefined,
    client_id: textOf(form, 'client_id') || undefined,
  }),
  ({ name }) => doneAt(termsPage(name), 'termsOfUse.created', { name }),
  { controlOf: (place) => (place === 'client' ? 'client_id' : place) },
);

export const stopAsking = doing(
  termsActs.end,
  (form) => ({ name: textOf(form, 'terms') }),
  ({ name }) => doneAt(termsPage(name), 'termsOfUse.stopped', { name }),
);
