import { setImmediate as othersFirst } from 'node:timers/promises';
import { emailAddress } from '../identity/accounts.ts';
import { shutOutBy } from '../identity/shut-out.ts';
import { namedGroups } from '../management/group/groups.ts';
import { firstFault, type InviteeSaid, readInvitee } from '../management/invitation/invitee.ts';
import type { AdminRefusal } from '../management/refusal.ts';
import { controlOf, type TypedFields } from '../management/user/field-values.ts';
import { type Sentence, sentence } from '../messages/sentence.ts';
import type { Actor } from '../store/actor.ts';
import { keysWithLink } from '../store/links.ts';
import { listFields } from '../store/user-fields.ts';
import { keysOfPeople, loginKey } from '../store/users.ts';
import type { Line, Lines } from './lines.ts';
import { filledIn, isPlaceholder } from './placeholder.ts';

/** A person on a list who can be invited, as the input of the act that invites. */
type ToInvite = { email: string; said: Omit<InviteeSaid, 'fields'> & Further };
type Further = { groups?: string[]; fields?: TypedFields };

type WrongLine = { at: number; text: string; why: Sentence };

/** What would happen to each line of a list. */
export type Plan = {
  invite: ToInvite[];
  /** Addresses of people who have an account, and of people who have a pending invitation. */
  here: string[];
  invited: string[];
  wrong: WrongLine[];
};

/** Judges what would happen to each line, given the meaning of the columns. Nothing is changed. */
export async function judgeLines(
  { head, lines }: Lines,
  columns: readonly string[],
  actor: Actor,
  now: Date,
): Promise<Plan> {
  const read = lines.map((line) => readLine(line, columns));
  const keys = [...new Set(read.map(({ email }) => loginKey(email)))];
  const [fields, people, waiting] = await Promise.all([
    listFields(),
    inParts(keys, (some) => keysOfPeople(some)),
    inParts(keys, (some) => keysWithLink('invite', some, now)),
  ]);
  const plan: Plan = { invite: [], here: [], invited: [], wrong: [] };
  const seen = new Map<string, number>();
  const judgeGroups = groupsJudge(actor);
  for (const [index, { at, email, said, cells }] of read.entries()) {
    if (index % atOnce === 0) await othersFirst();
    const key = loginKey(email);
    const why =
      faultOfCells(cells, columns) ??
      faultOfMarks(cells, head) ??
      faultOfEmail(email, seen.get(key)) ??
      (await judgeGroups(said.groups)) ??
      firstFault(readInvitee(said, fields).faults);
    if (why) plan.wrong.push({ at, text: (email || cells.join(' ')).slice(0, 80), why });
    else if (people.has(key)) plan.here.push(email);
    else if (waiting.has(key)) plan.invited.push(email);
    else plan.invite.push({ email, said });
    if (!seen.has(key)) seen.set(key, at);
  }
  return plan;
}

function readLine({ at, cells }: Line, columns: readonly string[]) {
  const textOf = (column: string) => cells[columns.indexOf(column)]?.trim() || undefined;
  const cellOf = (column: string) => filledIn(textOf(column));
  const parts = [cellOf('given_name'), cellOf('family_name')].filter(Boolean).join(' ');
  const groups = cellOf('groups')
    ?.split(/[;,|]/)
    .map((name) => name.trim())
    .filter(Boolean);
  const own = columns.filter((column) => column.startsWith(controlOf('')) && cellOf(column));
  const fields = own.map((column) => [
    column.slice(controlOf('').length),
    (cellOf(column) ?? '').split('|'),
  ]);
  const said = {
    name: cellOf('name') ?? (parts || undefined),
    username: cellOf('username'),
    language: cellOf('language'),
    groups,
    fields: own.length > 0 ? (Object.fromEntries(fields) as TypedFields) : undefined,
  };
  return { at, cells, email: textOf('email') ?? '', said };
}

const faultOfCells = (cells: readonly string[], columns: readonly string[]): Sentence | null =>
  cells.length > columns.length ? sentence('refused.import.cells') : null;

function faultOfMarks(cells: readonly string[], head: readonly string[]): Sentence | null {
  const mark = shutOutBy(head.map((name, at) => [name, cells[at]] as const));
  if (!mark) return null;
  const said = { name: mark.name.slice(0, 80), value: mark.value.slice(0, 80) };
  return sentence('refused.import.shutOut', said);
}

function faultOfEmail(email: string, before: number | undefined): Sentence | null {
  if (email === '') return sentence('refused.import.noAddress');
  if (isPlaceholder(email))
    return sentence('refused.import.placeholder', { text: email.slice(0, 80) });
  if (!emailAddress.safeParse(email).success)
    return sentence('refused.invitation.email', { email: email.slice(0, 80) });
  return before === undefined ? null : sentence('refused.import.again', { line: before });
}

/** Looks up each set of groups only once. */
function groupsJudge(actor: Actor) {
  const known = new Map<string, Sentence | null>();
  return async (groups: readonly string[] | undefined): Promise<Sentence | null> => {
    if (!groups || groups.length === 0) return null;
    if (actor.reach === 'people') return sentence('refused.invitation.groups');
    const key = groups.join('\n');
    if (!known.has(key))
      known.set(
        key,
        await namedGroups(groups).then(
          () => null,
          (error: AdminRefusal) => error.said,
        ),
      );
    return known.get(key) ?? null;
  };
}

const atOnce = 500;

async function inParts(
  keys: readonly string[],
  look: (some: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<Set<string>> {
  const found = new Set<string>();
  for (let from = 0; from < keys.length; from += atOnce)
    for (const key of await look(keys.slice(from, from + atOnce))) found.add(key);
  return found;
}
