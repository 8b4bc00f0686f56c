import { parse } from 'csv-parse/sync';
import { type Arrival, type Reader, UnreadableFile, wholeName } from './arrivals.ts';

/** What heads may be called, beside the names of this format. */
const alsoCalled: Record<string, string> = {
  'e-mail': 'email',
  mail: 'email',
  'email address': 'email',
  user: 'username',
  login: 'username',
  'full name': 'name',
  'first name': 'given_name',
  'last name': 'family_name',
  language: 'locale',
  password: 'password_hash',
  hash: 'password_hash',
  group: 'groups',
};

const known = [
  ...['id', 'username', 'email', 'email_verified', 'name', 'given_name', 'family_name', 'locale'],
  ...['phone_number', 'password_hash', 'must_change_password', 'disabled', 'groups'],
];

/** A table whose first line says what its columns are; groups stand beside each other with `;`. */
export const readCsv: Reader = (text) => ({ people: rowsOf(text).map(arrivalOf) });

type Row = Record<string, string | undefined>;

function rowsOf(text: string): Row[] {
  try {
    return parse(text, {
      columns: headsOf,
      bom: true,
      trim: true,
      skip_empty_lines: true,
      max_record_size: 10_000,
    });
  } catch (error) {
    throw error instanceof UnreadableFile ? error : new UnreadableFile((error as Error).message);
  }
}

function headsOf(cells: string[]): string[] {
  const heads = cells
    .map((cell) => cell.trim().toLowerCase())
    .map((head) => alsoCalled[head] ?? head);
  const unknown = heads.find((head) => !known.includes(head));
  if (unknown !== undefined)
    throw new UnreadableFile(
      `no column is called ${JSON.stringify(unknown.slice(0, 80))}; columns are ${known.join(', ')}`,
    );
  if (!heads.includes('email')) throw new UnreadableFile('there is no column email');
  return heads;
}

function arrivalOf(row: Row): Arrival {
  const { given_name, family_name, locale, phone_number } = row;
  return {
    id: row.id || undefined,
    username: row.username || undefined,
    email: row.email || undefined,
    emailVerified: isYes(row.email_verified),
    name: row.name || wholeName(given_name, family_name),
    hash: row.password_hash || undefined,
    mustChangePassword: isYes(row.must_change_password),
    disabled: isYes(row.disabled),
    claims: { given_name, family_name, locale, phone_number },
    groups: row.groups?.split(';'),
  };
}

const isYes = (cell = '') => /^(?:1|true|yes|on)$/i.test(cell);
