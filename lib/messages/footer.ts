import { brandNow } from '../brand.ts';
import { linksIn, ownTexts, type Texts } from '../own-words.ts';
import type { Locale } from './locales.ts';
import { textIn } from './text.ts';
import { unreadLinks } from './unread.ts';

/** The links below every page: help, the operator's own, and what to know about the language. */
export function footerIn(
  locale: Locale,
  { links }: Texts = ownTexts('footer', locale),
): { label: string; href: string }[] {
  const { supportLink, footerLinks } = brandNow();
  return [
    ...(supportLink ? [{ label: textIn(locale)('page.support'), href: supportLink }] : []),
    ...(links ? linksIn(links) : footerLinks),
    ...unreadLinks(locale),
  ];
}
