import type { Brand } from '../../brand.ts';
import { offeredLocales } from '../../messages/locales.ts';
import { type Sentence, sentence } from '../../messages/sentence.ts';
import { linkFault } from '../../oauth/client-links.ts';
import { foldName, isSoundText } from '../../oauth/name.ts';
import {
  anyLanguage,
  holesIn,
  type Part,
  type Place,
  parts,
  piecesOf,
  placeRow,
  type Texts,
} from '../../own-words.ts';
import { readMailto } from '../../people/email.ts';
import type { Faults } from '../refusal.ts';
import { ofRule } from '../rule-fault.ts';

type Words = Brand['words'];
type Said = { place: Place; language: string; part: Part; text: string };

/** The languages that a text can be for. */
export const wordLanguages: readonly string[] = [anyLanguage, ...offeredLocales];

/** More lines would push a form off the screen. */
const mostLines = 10;

const eachText = (words: Words): Said[] =>
  Object.entries(words).flatMap(([place, languages]) =>
    Object.entries(languages).flatMap(([language, texts]) =>
      Object.entries(texts).map(([part, text]) => ({ place, language, part, text }) as Said),
    ),
  );

/**
 * Words in a fixed order, so that equal ones are stored identically, without empty texts and
 * without what only comes along with pasted text.
 */
export function tidyWords(words: Words): Words {
  const said = eachText(words)
    .map((each) => ({ ...each, text: tidyText(each) }))
    .filter(({ text }) => text !== '')
    .sort(inOrder);
  const by = <To>(rows: Said[], key: 'place' | 'language', inside: (rows: Said[]) => To) =>
    Object.fromEntries([...Map.groupBy(rows, (row) => row[key])].map(([k, v]) => [k, inside(v)]));
  const texts = (rows: Said[]) => Object.fromEntries(rows.map(({ part, text }) => [part, text]));
  return by(said, 'place', (rows) => by(rows, 'language', texts));
}

const inOrder = (one: Said, other: Said) => (addressOf(one) < addressOf(other) ? -1 : 1);

function tidyText({ part, text }: Pick<Said, 'part' | 'text'>): string {
  return parts[part].isMarked ? tidyMarked(text) : foldName(text.replace(/\r\n?|\n/g, ' '));
}

/** A text of several lines without what only comes along with pasted text. */
export const tidyMarked = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map(foldName)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** The place in the branding of what is said in a language. */
export const languageAddress = (place: Place, language: string) => `words.${place}.${language}`;

const addressOf = ({ place, language, part }: Said) =>
  `${languageAddress(place, language)}.${part}`;

/** All texts by their place in the branding, for the audit log. */
export const flatWords = (words: Words): Record<string, string> =>
  Object.fromEntries(eachText(words).map((said) => [addressOf(said), said.text]));

/** What is wrong with words that are tidy, at the place of each text. */
export function wordsFaults(words: Words): Faults {
  const wrong = eachText(words).flatMap((said): [string, Sentence][] => {
    const unknown = languageFault(said.language);
    if (unknown) return [[languageAddress(said.place, said.language), unknown]];
    const fault = textFault(said);
    return fault ? [[addressOf(said), fault]] : [];
  });
  return Object.fromEntries(wrong);
}

export function languageFault(tag: string): Sentence | null {
  if (wordLanguages.includes(tag)) return null;
  const said = { tag: JSON.stringify(tag.slice(0, 20)), known: wordLanguages.join(', ') };
  return sentence('refused.language.unknown', said);
}

function textFault({ place, part, text }: Omit<Said, 'language'>): Sentence | null {
  const known = placeRow(place).parts;
  if (!known.includes(part)) return sentence('refused.words.part', { known: known.join(', ') });
  const { most, isMarked } = parts[part];
  const fault =
    signsFault(text, { most, lines: mostLines }) ??
    holeFault({ place, part, text }) ??
    (isMarked ? linksFault(text) : null);
  const between = piecesOf(text).filter(({ href }) => href === undefined);
  const isMore = part === 'links' && between.some((piece) => /\S/.test(piece.text));
  return fault ?? (isMore ? sentence('refused.words.onlyLinks') : null);
}

/** What is wrong with the length or the characters of a text. */
export function signsFault(
  text: string,
  { most, lines }: { most: number; lines: number },
): Sentence | null {
  const count = [...text].length;
  if (count > most) return sentence('refused.words.long', { most: `${most}`, count: `${count}` });
  if (text.split('\n').length > lines) return sentence('refused.words.lines', { most: `${lines}` });
  return isSoundText(text, most) && !/\p{M}{8}/u.test(text)
    ? null
    : sentence('refused.words.signs');
}

function holeFault({ place, part, text }: Omit<Said, 'language'>): Sentence | null {
  const { holes, needs = {} } = placeRow(place);
  const inBraces = (names: readonly string[]) => names.map((name) => `{${name}}`).join(', ');
  const rest = holes.reduce((left, name) => left.replaceAll(`{${name}}`, ''), text);
  if (/[{}]/.test(rest)) return sentence('refused.words.hole', { known: inBraces(holes) });
  const missing = (needs[part] ?? []).filter((name) => !holesIn(text).includes(name));
  return missing.length > 0
    ? sentence('refused.words.needs', { missing: inBraces(missing) })
    : null;
}

/** What is wrong with the links of a text. */
export function linksFault(text: string): Sentence | null {
  for (const { href, text: label } of piecesOf(text)) {
    const [unread] = /\[[^[\]]*\]\(\S*/.exec(href === undefined ? label : '') ?? [];
    if (unread) return sentence('refused.words.link', { link: unread.slice(0, 80) });
    if (href === undefined) continue;
    const isMail = href.length < 300 && !href.includes('?') && readMailto(href) !== null;
    const fault = isMail ? null : ofRule(linkFault(href));
    if (fault) return fault;
    if (/:\/\/|^www\./i.test(label) && label !== href)
      return sentence('refused.words.label', { label: label.slice(0, 60) });
  }
  return null;
}

/** The lines of an app as they are stored: without what only comes along with pasted text. */
export const tidyLines = (lines: Lines): Lines =>
  Object.fromEntries(
    Object.entries(lines)
      .map(([language, text]) => [language, tidyText({ ...line, text }).replace(/\n+/g, ' ')])
      .filter(([, text]) => text !== ''),
  );

/** What is wrong with the lines of an app, by language. They keep the rules of a help line. */
export function linesFault(lines: Lines): Sentence | null {
  for (const [language, text] of Object.entries(lines)) {
    const fault = textFault({ ...line, text });
    if (fault) return sentence('refused.words.inLanguage', { language, fault });
  }
  const unknown = Object.keys(lines).map(languageFault);
  return unknown.find((fault) => fault !== null) ?? null;
}

type Lines = Readonly<Record<string, string>>;
const line = { place: 'consent', part: 'help' } as const;

/** What of these texts could be stored, for a preview of what is typed so far. */
export function soundTexts(place: Place, typed: Texts): Texts {
  const texts = tidyWords({ [place]: { [anyLanguage]: typed } })[place]?.[anyLanguage] ?? {};
  const sound = Object.entries(texts).filter(
    ([part, text]) => !textFault({ place, part: part as Part, text }),
  );
  return Object.fromEntries(sound);
}
