import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';

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
