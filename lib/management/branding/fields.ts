import { z } from 'zod';
import { must, text, textOrNone } from '../values.ts';

const link = z.strictObject({ label: text, href: text });

/** The one list of the branding fields that can be set: for acts and configuration file. */
export const brandFields = {
  name: textOrNone.meta({ description: 'what it is called; none: the name of the product' }),
  accent: textOrNone.meta({ description: 'such as #0b6354; none: the usual colour' }),
  support_link: textOrNone.meta({ description: 'https://… or mailto:…' }),
  footer_links: z.array(link, must('takes.links')),
};

/** The branding where nothing is said. */
export const usualBrand = { name: null, accent: null, support_link: null, footer_links: [] };
