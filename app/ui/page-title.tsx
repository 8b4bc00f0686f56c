import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';

/** The title of a document as text, for scripts that set it. */
export function titleOf(page: string, locale: Locale): string {
  const text = textIn(locale);
  return text('page.title', { page, product: text('product.name') });
}

/** The document title. After a refused form it starts with the error, for screen readers. */
export function PageTitle({
  title,
  refused = false,
  locale,
}: {
  title: string;
  refused?: boolean;
  locale: Locale;
}) {
  const text = textIn(locale);
  const values = { page: title, product: text('product.name') };
  return <title>{refused ? text('page.titleRefused', values) : text('page.title', values)}</title>;
}
