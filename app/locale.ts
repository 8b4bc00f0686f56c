import { cache } from 'react';
import { pageRequest } from '#lib/http/next.ts';
import { languageOfPage } from '#lib/interaction/language.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { type Text, textIn } from '#lib/messages/text.ts';

/** The language of the current page, determined once for the layout and the content. */
export const pageLocale = cache(async (): Promise<Locale> => {
  const request = await pageRequest();
  return languageOfPage(request.page, request, new Date());
});

/** Gives messages in the language of the current page. */
export const pageText = cache(async (): Promise<Text> => textIn(await pageLocale()));
