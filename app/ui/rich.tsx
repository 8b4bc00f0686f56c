import { Fragment, type ReactNode } from 'react';
import { countIn } from '#lib/messages/formats.ts';
import type { MessageKey, Values } from '#lib/messages/keys.ts';
import { attributesOf, type Locale } from '#lib/messages/locales.ts';
import { piecesIn } from '#lib/messages/text.ts';

/**
 * A message with elements as placeholders: `rich('consent.title', { app: <strong>…</strong> },
 * locale)`.
 */
export function rich<K extends MessageKey>(
  key: K,
  values: Values<K, ReactNode>,
  locale: Locale,
): ReactNode {
  const given = values as Readonly<Record<string, ReactNode>>;
  // Inserted values are isolated and keep their own direction.
  const Hole = attributesOf(locale).dir === 'rtl' ? 'bdi' : Fragment;
  return piecesIn(locale, key, given).map((piece) => {
    if (typeof piece === 'string') return piece;
    if ('hole' in piece) return <Hole key={piece.hole}>{given[piece.hole]}</Hole>;
    return <Hole key={piece.number}>{countIn(locale, Number(given[piece.number]))}</Hole>;
  });
}
