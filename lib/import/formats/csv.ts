import { isMark, shutOutBy } from '../../identity/shut-out.ts';
import { AdminRefusal } from '../../management/refusal.ts';
import { sentence } from '../../messages/sentence.ts';
import { type ArrivingPerson, type Reader, UnreadableFile, wholeName } from '../arrivals.ts';
import { calledEverywhere, guessHeads, type Known, noColumn } from '../heads.ts';
import { type Line, type Lines, readLines } from '../lines.ts';

const { email, username, name, given_name, family_name, language, groups } = calledEverywhere;
const known: readonly Known[] = [
  { column: 'email', ...email },
  { column: 'username', ...username },
  { column: 'name', ...name },
  { column: 'given_name', ...given_name },
  { column: 'family_name', ...family_name },
  { column: 'locale', ...language },
  { column: 'groups', ...groups },
  { column: 'id', called: ['id'] },
  { column: 'email_verified', called: ['emailverified'] },
  { column: 'phone_number', called: ['phonenumber', 'phone'] },
  { column: 'password_hash', called: ['passwordhash', 'password', 'hash', 'userpassword'] },
  { column: 'must_change_password', called: ['mustchangepassword'] },
];

/** The most people and characters; a file has its own limits besides. */
const limits = { longest: Number.POSITIVE_INFINITY, most: 20_000 };

/**
 * A table as programs and spreadsheets write it, read like a list of people to invite. Columns that
 * mean nothing here are left out and named.
 */
export const readCsv: Reader = (text) => {
  const table = linesOf(text);
  const { head, lines } = table;
  const { columns, conflict } = guessHeads(table, known);
  if (conflict)
    throw new UnreadableFile(sentence('refused.import.twice', { name: conflict.join(', ') }));
  if (!columns.includes('email')) throw new UnreadableFile(sentence('refused.unreadable.noEmail'));
  const wide = lines.find(({ cells }) => cells.length > columns.length);
  if (wide) {
    const line = { line: String(wide.at), why: sentence('refused.unreadable.columns') };
    throw new UnreadableFile(sentence('refused.unreadable.line', line));
  }
  const ignored = head.filter((each, at) => columns[at] === noColumn && each && !isMark(each));
  return { people: lines.map((line) => arrivalOf(line, columns, head)), ignored };
};

function linesOf(text: string): Lines {
  try {
    return readLines(text, limits);
  } catch (error) {
    throw error instanceof AdminRefusal && error.said ? new UnreadableFile(error.said) : error;
  }
}

function arrivalOf({ cells }: Line, columns: string[], head: string[]): ArrivingPerson {
  const of = (column: string) => cells[columns.indexOf(column)]?.trim() || undefined;
  const [given, family] = [of('given_name'), of('family_name')];
  return {
    id: of('id'),
    username: of('username'),
    email: of('email'),
    emailVerified: isYes(of('email_verified')),
    name: of('name') ?? wholeName(given, family),
    hash: of('password_hash'),
    mustChangePassword: isYes(of('must_change_password')),
    disabled: shutOutBy(head.map((each, at) => [each, cells[at]] as const)) !== null,
    claims: {
      given_name: given,
      family_name: family,
      locale: of('locale'),
      phone_number: of('phone_number'),
    },
    groups: of('groups')?.split(/[;,|]/),
  };
}

const isYes = (cell = '') => /^(?:1|true|yes|on)$/i.test(cell);
