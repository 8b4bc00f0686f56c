import { parse } from 'csv-parse/sync';
import { sentence } from '../../../messages/sentence.ts';
import { type ArrivingPerson, type Reader, UnreadableFile, wholeName } from './arrivals.ts';
import { isShutOut } from './shut-out.ts';

/** Other heads that are accepted for the columns of this format. */
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

/** A table whose first line names its columns. Groups are separated by `;`. */
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
    if (error instanceof UnreadableFile) throw error;
    // The message quotes a piece of the file, perhaps of a hash.
    const { code = '', lines = 0 } = error as { code?: string; lines?: number };
    const line = { line: String(lines), why: sentence(faults[code] ?? 'refused.unreadable.csv') };
    throw new UnreadableFile(sentence('refused.unreadable.line', line));
  }
}

/** Messages for csv-parse's error codes. */
const faults: Record<
  string,
  'refused.unreadable.long' | 'refused.unreadable.columns' | 'refused.unreadable.quotes'
> = {
  CSV_MAX_RECORD_SIZE: 'refused.unreadable.long',
  CSV_RECORD_INCONSISTENT_COLUMNS: 'refused.unreadable.columns',
  CSV_QUOTE_NOT_CLOSED: 'refused.unreadable.quotes',
  CSV_INVALID_CLOSING_QUOTE: 'refused.unreadable.quotes',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'refused.unreadable.quotes',
  INVALID_OPENING_QUOTE: 'refused.unreadable.quotes',
};

function headsOf(cells: string[]): string[] {
  const heads = cells
    .map((cell) => cell.trim().toLowerCase())
    .map((head) => alsoCalled[head] ?? head);
  const unknown = heads.find((head) => !known.includes(head));
  if (unknown !== undefined)
    throw new UnreadableFile(
      sentence('refused.unreadable.column', {
        name: JSON.stringify(unknown.slice(0, 80)),
        known: known.join(', '),
      }),
    );
  if (!heads.includes('email')) throw new UnreadableFile(sentence('refused.unreadable.noEmail'));
  return heads;
}

function arrivalOf(row: Row): ArrivingPerson {
  const { given_name, family_name, locale, phone_number } = row;
  return {
    id: row.id || undefined,
    username: row.username || undefined,
    email: row.email || undefined,
    emailVerified: isYes(row.email_verified),
    name: row.name || wholeName(given_name, family_name),
    hash: row.password_hash || undefined,
    mustChangePassword: isYes(row.must_change_password),
    disabled: isShutOut(row),
    claims: { given_name, family_name, locale, phone_number },
    groups: row.groups?.split(';'),
  };
}

const isYes = (cell = '') => /^(?:1|true|yes|on)$/i.test(cell);
