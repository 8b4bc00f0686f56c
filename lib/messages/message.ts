import type { en } from './compiled/en.ts';

/**
 * A message as the build compiles it from ICU MessageFormat: a text, or its pieces in order.
 * `number` is the `#` of a plural: the count in the language's number format.
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

/**
 * A message with its plurals and selects resolved: text, and the names of the values to fill in.
 */
export type Chosen = string | { hole: string } | { number: string };

/**
 * The pieces of a message, with the variants that the values select. @param formats the tag whose
 * plural rules apply
 */
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
