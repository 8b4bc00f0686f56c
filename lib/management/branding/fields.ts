import { z } from 'zod';
import type { Brand } from '../../brand.ts';
import { type Part, placeNames, placeRow } from '../../own-words.ts';
import { mapOf, must, strictMap, text, textOrNone } from '../values.ts';

const link = z.strictObject({ label: text, href: text });

/** The texts that can be said at a place, in one language. */
const textsAt = (names: readonly Part[]) =>
  strictMap(Object.fromEntries(names.map((part) => [part, text.optional()])));

const words = strictMap(
  Object.fromEntries(
    placeNames.map((place) => [place, mapOf(textsAt(placeRow(place).parts)).optional()]),
  ),
) as unknown as z.ZodType<Brand['words'], Brand['words']>;

/** The one list of the branding fields that can be set: for acts and configuration file. */
export const brandFields = {
  name: textOrNone.meta({ description: 'what it is called; none: the name of the product' }),
  accent: textOrNone.meta({ description: 'such as #0b6354; none: the usual colour' }),
  support_link: textOrNone.meta({ description: 'https://… or mailto:…' }),
  footer_links: z.array(link, must('takes.links')),
  words: words.meta({
    description: 'your own words on pages and in mails: by place, language (or any) and part',
  }),
};

/** The branding where nothing is said. */
export const usualBrand = {
  name: null,
  accent: null,
  support_link: null,
  footer_links: [],
  words: {},
};
