import { Fragment, type ReactNode } from 'react';
import type { Locale } from '#lib/messages/locales.ts';
import { messageIn, type PlainKey, piecesOf, type Values } from '#lib/messages/text.ts';

/** A message whose holes take elements: `rich('consent.title', { app: <strong>…</strong> }, locale)`. */
export function rich<K extends PlainKey>(key: K, values: Values<K, ReactNode>, locale: Locale): ReactNode {
  const given: Record<string, ReactNode> = values;
  return piecesOf(messageIn(locale, key)).map((piece) =>
    'hole' in piece ? <Fragment key={piece.hole}>{given[piece.hole]}</Fragment> : piece.text,
  );
}
