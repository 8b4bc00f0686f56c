import { pageText } from '../../../locale.ts';

/**
 * The address as the browser sees it, which no proxy can hide (`public/dashboard.js`). Nothing
 * without scripts.
 */
export async function AddressCheck({ issuer }: { issuer: string }) {
  const text = await pageText();
  const origin = '{origin}';
  return (
    <p
      role="status"
      hidden
      suppressHydrationWarning
      data-issuer={issuer}
      data-same={text('setUp.browser.same', { origin })}
      data-differs={text('setUp.browser.differs', { origin, issuer })}
      className="mt-3 text-sm text-ink-soft"
    />
  );
}
