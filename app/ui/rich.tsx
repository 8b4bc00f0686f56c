import { Fragment, type ReactNode } from 'react';
import { attributesOf, type Locale } from '#lib/messages/locales.ts';
import { messageIn, type PlainKey, piecesOf, type Values } from '#lib/messages/text.ts';

/** A message whose holes take elements: `rich('consent.title', { app: <strong>…</strong> }, locale)`. */
export function rich<K extends PlainKey>(
  key: K,
  values: Values<K, ReactNode>,
  locale: Locale,
): ReactNode {
  const given: Record<string, ReactNode> = values;
  // What is filled in runs in its own direction, and does not draw the words beside it along.
  const Hole = attributesOf(locale).dir === 'rtl' ? 'bdi' : Fragment;
  return piecesOf(messageIn(locale, key)).map((piece) =>
    'hole' in piece ? <Hole key={piece.hole}>{given[piece.hole]}</Hole> : piece.text,
  );
}
