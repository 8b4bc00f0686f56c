import { emailAddress } from '../../identity/accounts.ts';
import type { Lines } from './lines.ts';

/** A column that is left out. */
export const noColumn = 'skip';

/**
 * A meaning that a column can have, with the heads that say so, folded. `otherwise`: heads that
 * count only where no other column has the meaning.
 */
export type Known = {
  column: string;
  called: readonly string[];
  otherwise?: readonly string[];
};

/** Heads for what every table of people says, as programs and spreadsheets write them. */
export const calledEverywhere = {
  email: {
    called: ['email', 'mail', 'emailaddress', 'emailadresse', 'mailadresse', 'useremail'],
    otherwise: ['primaryemail', 'userprincipalname', 'upn', 'login', 'username', 'userlogin'],
  },
  name: {
    called: ['name', 'fullname', 'displayname', 'vollständigername', 'anzeigename'],
    otherwise: ['cn', 'commonname'],
  },
  given_name: { called: ['givenname', 'firstname', 'vorname'] },
  family_name: { called: ['familyname', 'lastname', 'surname', 'nachname'], otherwise: ['sn'] },
  username: {
    called: ['username', 'user', 'login', 'benutzername', 'userlogin'],
    otherwise: ['uid', 'samaccountname', 'userid'],
  },
  language: { called: ['language', 'locale', 'lang', 'sprache', 'preferredlanguage'] },
  groups: { called: ['groups', 'group', 'gruppe', 'gruppen'] },
} as const;

/** A head without capitals, blanks, signs, and what is said in brackets: `First Name [Required]`. */
export const foldedHead = (head: string): string =>
  head
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\[[^\]]*\]|\([^)]*\)/g, '')
    .replace(/[\s_.*-]+/g, '');

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
    column === 'email' ? holds[at] !== 'other' : column !== 'username' || holds[at] !== 'addresses';
  let conflict: Guessed['conflict'] = null;
  for (const { column, called, otherwise = [] } of known) {
    const named = (by: readonly string[]) =>
      words.flatMap((word, at) => (by.includes(word) && fits(column, at) ? [at] : []));
    const [first, second] = withoutCopies(named(called), lines);
    if (first !== undefined && second !== undefined)
      conflict ??= [head[first] ?? '', head[second] ?? ''];
    const at = first ?? named(otherwise).find((each) => columns[each] === noColumn);
    if (at !== undefined) columns[at] = column;
  }
  if (!columns.includes('email')) {
    const at = holds.indexOf('addresses');
    // Wrong addresses are better told than a missing column.
    const anyhow = words.findIndex((word) =>
      calledEverywhere.email.called.some((each) => each === word),
    );
    if (at >= 0 || anyhow >= 0) columns[at >= 0 ? at : anyhow] = 'email';
  }
  return { columns, conflict };
}

/** The number of lines that decide. */
const sample = 200;

function kindOf(lines: Lines['lines'], at: number): 'addresses' | 'mixed' | 'other' | 'empty' {
  const cells = lines.slice(0, sample).flatMap(({ cells }) => cells[at]?.trim() || []);
  const count = cells.filter((cell) => emailAddress.safeParse(cell).success).length;
  if (cells.length === 0) return 'empty';
  return count === 0 ? 'other' : count * 2 > cells.length ? 'addresses' : 'mixed';
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
