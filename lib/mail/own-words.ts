import { config } from '../config.ts';
import { productName } from '../messages/text.ts';
import { filled, type MailPlace, ownTexts, placeRow, plainOf, type Texts } from '../own-words.ts';
import type { Sheet } from './letter.ts';

/** Whom a letter is for, as far as it may call them by name. */
type Reader = { username?: string; name?: string | null };

/**
 * A letter in the operator's own words, where there are any. Their paragraph takes the place of the
 * first one, or follows ours. A text that names a value which is not known here is not used.
 * @param texts what is typed so far, for a preview; without them, what is stored
 */
export function worded(
  place: MailPlace,
  sheet: Sheet,
  { username, name }: Reader = {},
  texts: Texts = ownTexts(place, sheet.locale),
): Sheet {
  const { host } = new URL(config().issuer);
  const values = { product: productName(), host, username, name: name || username };
  const own = filled(texts.paragraph, values);
  const { paragraphs } = sheet;
  const withOwn = placeRow(place).follows ? [...paragraphs, own] : [own, ...paragraphs.slice(1)];
  return {
    ...sheet,
    subject: plainOf(filled(texts.subject, values)) ?? sheet.subject,
    greeting: filled(texts.greeting, values) ?? sheet.greeting,
    paragraphs: own ? withOwn.filter((part) => part !== undefined) : paragraphs,
    signature: filled(texts.signature, values),
  };
}
