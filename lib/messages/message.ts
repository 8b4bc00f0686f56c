import type { en } from './compiled/en.ts';

/**
 * A message as the build compiles it from ICU MessageFormat: its text, or its pieces in order. `number` is the `#` of a
 * plural: the count as the language writes it.
 */
export type Message = string | readonly Piece[];

export type Piece =
  | string
  | { readonly hole: string }
  | { readonly number: string }
  | { readonly plural: string; readonly cases: Cases }
  | { readonly select: string; readonly cases: Cases };

/** A whole catalogue. */
export type Messages = Record<keyof typeof en, Message>;

type Cases = { readonly other: Message; readonly [name: string]: Message };

/** A message whose plurals and selects are chosen: text, and the names of what is filled in. */
export type Chosen = string | { hole: string } | { number: string };

/** The pieces of a message, those of the variant that the values choose. @param formats the tag whose plural rules hold */
export function chosenPieces(
  message: Message,
  values: Readonly<Record<string, unknown>>,
  formats: string,
): Chosen[] {
  if (typeof message === 'string') return [message];
  return message.flatMap((piece) => {
    if (typeof piece === 'string' || 'hole' in piece || 'number' in piece) return [piece];
    return chosenPieces(chosenCase(piece, values, formats), values, formats);
  });
}

function chosenCase(
  piece: Extract<Piece, { cases: Cases }>,
  values: Readonly<Record<string, unknown>>,
  formats: string,
): Message {
  if ('select' in piece) return caseOf(piece.cases, String(values[piece.select]));
  const count = Number(values[piece.plural]);
  const exact = piece.cases[`=${count}`];
  return exact ?? caseOf(piece.cases, new Intl.PluralRules(formats).select(count));
}

function caseOf(cases: Cases, name: string): Message {
  return Object.hasOwn(cases, name) ? (cases[name] ?? cases.other) : cases.other;
}
