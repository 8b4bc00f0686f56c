import { emailAddress } from '../identity/accounts.ts';
import type { Lines } from './lines.ts';

/** A column that is left out. */
export const noColumn = 'skip';

/**
 * A meaning that a column can have, with the heads that say so, folded. `otherwise`: heads that
 * count only where no other column has the meaning, the best first.
 */
export type Known = {
  column: string;
  called: readonly string[];
  otherwise?: readonly string[];
};

/**
 * Heads of a whole name; or, beside a given or a family name alone, of the other one: `Name;Vorname`,
 * `Nom;Prénom`, `Nombre;Apellidos`.
 */
const shortNames =
  'name nom nome nombre naam namn navn nimi jméno meno ime nume név imię имя імя όνομα ad adı isim 名'.split(
    ' ',
  );

/** Heads for what every table of people says, as programs and spreadsheets write them. */
export const calledEverywhere = {
  email: {
    called: ['email', 'mail', 'emailaddress', 'emailadresse', 'mailadresse', 'useremail'],
    otherwise: ['primaryemail', 'userprincipalname', 'upn', 'login', 'username', 'userlogin'],
  },
  name: {
    called:
      'fullname vollständigername nomcomplet nombrecompleto nomecompleto imięinazwisko фио adsoyad 氏名 名前 姓名 이름 성명'.split(
        ' ',
      ),
    otherwise: ['displayname', 'anzeigename', ...shortNames, 'cn', 'commonname', 'username'],
  },
  given_name: {
    called:
      'givenname firstname vorname prénom prenom voornaam förnamn fornavn etunimi prenume keresztnév'.split(
        ' ',
      ),
  },
  family_name: {
    called: [
      'familyname lastname surname nachname nomdefamille achternaam apellidos apellido cognome sobrenome',
      'efternamn etternavn efternavn sukunimi nazwisko příjmení priezvisko prezime priimek vezetéknév',
      'фамилия прізвище επώνυμο soyad soyadı 姓',
    ].flatMap((line) => line.split(' ')),
    otherwise: ['sn'],
  },
  username: {
    called: ['username', 'user', 'login', 'benutzername', 'userlogin'],
    otherwise: ['uid', 'samaccountname', 'userid'],
  },
  language: { called: ['language', 'locale', 'lang', 'sprache', 'preferredlanguage'] },
  groups: { called: ['groups', 'group', 'gruppe', 'gruppen'] },
} as const;

/**
 * A head without capitals, blanks, signs, and what is said in brackets: `First Name [Required]`,
 * `Name [displayName] Required`.
 */
export const foldedHead = (head: string): string =>
  head
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\[[^[\]]*\]|\([^()]*\)/g, '')
    .replace(/[\s_.*-]+/g, '')
    .replace(/(?<=.)required$/, '');

type Guessed = {
  columns: string[];
  /** Two heads of one meaning whose columns say different things. */
  conflict: readonly [string, string] | null;
};

/**
 * What each column means, judging by its head and its cells: only addresses count for `email`, and
 * a column of addresses is no `username`.
 */
export function guessHeads({ head, lines }: Lines, known: readonly Known[]): Guessed {
  const width = head.length || lines.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const columns = Array<string>(width).fill(noColumn);
  const words = columns.map((_, at) => foldedHead(head[at] ?? ''));
  const holds = columns.map((_, at) => kindOf(lines, at));
  const fits = (column: string, at: number) =>
    holds[at] === 'empty' || holdsOf(column, words[at]).includes(holds[at] ?? 'empty');
  let conflict: Guessed['conflict'] = null;
  for (const { column, called, otherwise = [] } of known) {
    const named = (by: readonly string[]) =>
      by.flatMap((each) => indexesOf(each, words).filter((at) => fits(column, at)));
    const [first, second] = withoutCopies(named(called), lines);
    if (first !== undefined && second !== undefined)
      conflict ??= [head[first] ?? '', head[second] ?? ''];
    const at = first ?? named(otherwise).find((each) => columns[each] === noColumn);
    if (at !== undefined && columns[at] === noColumn) columns[at] = column;
  }
  completeNames(columns, words);
  if (!columns.includes('email')) {
    // Wrong addresses are better told than a missing column.
    const heads: readonly string[] = calledEverywhere.email.called;
    const said = words.findIndex((word) => heads.includes(word));
    const at = [holds.indexOf('addresses'), said, holds.indexOf('mixed')].find((each) => each >= 0);
    if (at !== undefined) columns[at] = 'email';
  }
  return { columns, conflict };
}

const indexesOf = (word: string, words: readonly string[]): number[] =>
  words.flatMap((each, at) => (each === word ? [at] : []));

type Held = 'addresses' | 'mixed' | 'phrases' | 'other' | 'empty';

/** What the cells of a column may be, apart from empty. */
function holdsOf(column: string, word = ''): readonly Held[] {
  if (column === 'email') return ['addresses', 'mixed'];
  if (column === 'username') return ['mixed', 'other'];
  // Atlassian calls a full name "User name".
  if (column === 'name' && word === 'username') return ['phrases'];
  return ['addresses', 'mixed', 'phrases', 'other'];
}

function completeNames(columns: string[], words: readonly string[]): void {
  const at = columns.indexOf('name');
  const [given, family] = [columns.includes('given_name'), columns.includes('family_name')];
  if (given !== family && shortNames.includes(words[at] ?? ''))
    columns[at] = given ? 'family_name' : 'given_name';
}

/** The number of lines that decide. */
const sample = 200;

function kindOf(lines: Lines['lines'], at: number): Held {
  const cells = lines.slice(0, sample).flatMap(({ cells }) => cells[at]?.trim() || []);
  const count = cells.filter((cell) => emailAddress.safeParse(cell).success).length;
  if (cells.length === 0) return 'empty';
  if (count > 0) return count * 2 > cells.length ? 'addresses' : 'mixed';
  return cells.filter((cell) => /\s/.test(cell)).length * 2 > cells.length ? 'phrases' : 'other';
}

/** Of these columns, those that say something that no earlier one says; the fullest first. */
function withoutCopies(columns: readonly number[], lines: Lines['lines']): number[] {
  if (columns.length < 2) return [...columns];
  const filled = (at: number) => lines.filter(({ cells }) => cells[at]).length;
  const [first = 0, ...rest] = columns.toSorted((one, other) => filled(other) - filled(one));
  const differs = (at: number) =>
    lines.some(({ cells }) => cells[at] && cells[at].toLowerCase() !== cells[first]?.toLowerCase());
  return [first, ...rest.filter(differs)];
}
