import { brandNow } from './brand.ts';

/*
 * What an admin says in their own words on people's pages and in mails. A text may have four marks:
 * **bold**, *italic*, [a link](https://…) and the end of a line. Everything else in it is text.
 */

/** Each part: the most characters, and whether it may have marks and several lines. */
export const parts = {
  title: { most: 60, isMarked: false },
  lead: { most: 400, isMarked: true },
  help: { most: 300, isMarked: true },
  links: { most: 800, isMarked: true },
  subject: { most: 100, isMarked: false },
  greeting: { most: 100, isMarked: false },
  paragraph: { most: 1000, isMarked: true },
  signature: { most: 300, isMarked: true },
} as const;
export type Part = keyof typeof parts;

/** The names of values that a text can have, each in braces. */
type Hole = 'product' | 'host' | 'username' | 'name';
type Values = Readonly<Partial<Record<Hole, string>>>;

type PlaceRow = {
  parts: readonly Part[];
  holes: readonly Hole[];
  /** The values without which readers would not know what the text is about. */
  needs?: Readonly<Partial<Record<Part, readonly Hole[]>>>;
  /** The paragraph follows ours, which readers need, and does not take its place. */
  follows?: true;
};

const server = ['product', 'host'] as const;
const anyone = [...server, 'username', 'name'] as const;
const page = { parts: ['title', 'lead', 'help'], holes: server } as const;
const letter = ['subject', 'greeting', 'paragraph', 'signature'] as const;

/**
 * Each place, with the parts that can be said there. The title of the consent page stays ours: it
 * says which app asks. So do subject and text of a notice, which may report an intruder, and the
 * text of a code, which says what it is for.
 */
export const places = {
  'sign-in': page,
  consent: { ...page, parts: ['lead', 'help'] },
  registration: page,
  'sign-out': page,
  'signed-out': page,
  footer: { parts: ['links'], holes: [] },
  mail: { parts: ['greeting', 'signature'], holes: anyone },
  'mail-invitation': {
    parts: letter,
    holes: [...server, 'name'],
    needs: { paragraph: ['host'] },
  },
  'mail-registration': { parts: letter, holes: server, needs: { paragraph: ['host'] } },
  'mail-address': {
    parts: letter,
    holes: [...server, 'username'],
    needs: { paragraph: ['username'] },
  },
  'mail-recovery': { parts: letter, holes: anyone, needs: { paragraph: ['username'] } },
  'mail-code': { parts: letter, holes: anyone, follows: true },
  'mail-notice': {
    parts: ['greeting', 'paragraph', 'signature'],
    holes: anyone,
    follows: true,
  },
} as const satisfies Record<string, PlaceRow>;
export type Place = keyof typeof places;
export type MailPlace = Extract<Place, `mail${string}`>;

export const placeNames = Object.keys(places) as Place[];
export const isMailPlace = (place: Place): place is MailPlace => place.startsWith('mail');
export const mailPlaces = placeNames.filter(isMailPlace);
export const placeRow = (place: Place): PlaceRow => places[place];

/** For people of whose language there is no text. */
export const anyLanguage = 'any';

/** The texts of a place in one language. */
export type Texts = Readonly<Partial<Record<Part, string>>>;

/**
 * What is said at a place for readers of a language, else in any language, and in a mail else what
 * is said in every mail.
 */
export function ownTexts(place: Place, locale: string): Texts {
  const { words } = brandNow();
  const from = isMailPlace(place) ? ['mail', place] : [place];
  return Object.assign({}, ...from.flatMap((at) => tagsFor(locale).map((tag) => words[at]?.[tag])));
}

/** The languages of the texts that a reader may get. A later one is nearer. */
const tagsFor = (locale: string) => [anyLanguage, locale.split('-')[0] ?? locale, locale];

/** The line of an app for readers of a language, else for everyone. */
export const lineFor = (
  lines: Readonly<Record<string, string>>,
  locale: string,
): string | undefined =>
  tagsFor(locale)
    .map((tag) => lines[tag])
    .findLast(Boolean);

type Style = { bold?: true; italic?: true; href?: string };

/** A stretch of text; `isValue`: it filled a hole, and may have been chosen by anyone. */
export type Piece = Style & { text: string; isValue?: true };

const mark =
  /\*\*([^\s*](?:[^*\n]*[^\s*])?)\*\*|\*([^\s*](?:[^*\n]*[^\s*])?)\*|\[([^[\]\n]+)\]\(([^()\s]+)\)/g;

/** Reads the marks of a text. Marks that do not match are text. */
export function piecesOf(text: string, style: Style = {}): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { 0: whole, 1: bold, 2: italic, 3: label = '', 4: href, index } of text.matchAll(
    mark,
  )) {
    pieces.push({ ...style, text: text.slice(at, index) });
    if (bold) pieces.push(...piecesOf(bold, { ...style, bold: true }));
    else if (italic) pieces.push(...piecesOf(italic, { ...style, italic: true }));
    else pieces.push(...piecesOf(label, { ...style, href }));
    at = index + whole.length;
  }
  pieces.push({ ...style, text: text.slice(at) });
  return pieces.filter((piece) => piece.text !== '');
}

const hole = /\{([a-z]+)\}/;

/** The names in braces. */
export const holesIn = (text: string): string[] =>
  [...text.matchAll(new RegExp(hole, 'g'))].map(([, name = '']) => name);

/**
 * A text with its marks read and its holes filled; undefined if there is none, or if a value that
 * it names is not known. Marks in a value are text.
 */
export function filled(text: string | undefined, values: Values): Piece[] | undefined {
  if (!text) return undefined;
  const known: Readonly<Record<string, string | undefined>> = values;
  if (holesIn(text).some((name) => !known[name])) return undefined;
  return piecesOf(text).flatMap(({ text: said, ...style }) =>
    said.split(hole).flatMap((part, at): Piece[] => {
      if (at % 2 === 1) return [{ ...style, text: known[part] ?? '', isValue: true }];
      return part === '' ? [] : [{ ...style, text: part }];
    }),
  );
}

export const plainOf = (pieces: readonly Piece[] | undefined): string | undefined =>
  pieces?.map(({ text }) => text).join('');

/** The links in a text. */
export const linksIn = (text: string): { label: string; href: string }[] =>
  piecesOf(text).flatMap(({ text: label, href }) => (href === undefined ? [] : [{ label, href }]));
