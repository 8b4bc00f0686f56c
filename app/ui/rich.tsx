import { Fragment, type ReactNode } from 'react';
import { defaultLocale, type MessageKey, messageIn, piecesOf, type Values } from '#lib/messages/text.ts';

/** A message whose holes take elements: `rich('consent.title', { app: <strong>…</strong> })`. */
export function rich<K extends MessageKey>(key: K, values: Values<K, ReactNode>, locale = defaultLocale): ReactNode {
  const given: Record<string, ReactNode> = values;
  return piecesOf(messageIn(locale, key)).map((piece) =>
    'hole' in piece ? <Fragment key={piece.hole}>{given[piece.hole]}</Fragment> : piece.text,
  );
}
