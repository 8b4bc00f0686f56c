import { Fragment, type ReactNode } from 'react';
import { attributesOf, type Locale } from '#lib/messages/locales.ts';
import { messageIn, type PlainKey, piecesOf, type Values } from '#lib/messages/text.ts';

/**
 * A message with elements as placeholders: `rich('consent.title', { app: <strong>…</strong> },
 * locale)`.
 */
export function rich<K extends PlainKey>(
  key: K,
  values: Values<K, ReactNode>,
  locale: Locale,
): ReactNode {
  const given: Record<string, ReactNode> = values;
  // Inserted values are isolated and keep their own direction.
  const Hole = attributesOf(locale).dir === 'rtl' ? 'bdi' : Fragment;
  return piecesOf(messageIn(locale, key)).map((piece) =>
    'hole' in piece ? <Hole key={piece.hole}>{given[piece.hole]}</Hole> : piece.text,
  );
}
