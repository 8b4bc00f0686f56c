import { needOf, type RoleNeed } from '../../identity/guards.ts';
import { sentence } from '../../messages/sentence.ts';
import { isSoundText } from '../../oauth/name.ts';
import { newId } from '../../oauth/secrets.ts';
import { may } from '../../people/roles.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import * as store from '../../store/batches.ts';
import type { Group } from '../../store/groups.ts';
import { findDraft } from '../../store/import-drafts.ts';
import { anyBringsGroups } from '../../store/links.ts';
import { flushUsage } from '../../store/usage.ts';
import { findPeople, labelsOf, type UserFilter } from '../../store/user-list.ts';
import { loginKey } from '../../store/users.ts';
import { type By, NotAllowed } from '../act.ts';
import { checkEnd } from '../ends.ts';
import { groupWithId } from '../group/groups.ts';
import { listInvitations } from '../invitation/invitations.ts';
import { refuseAdmin } from '../refusal.ts';
import { type PeopleSaid, readFilter } from '../user/filter.ts';
import { asMeant } from '../user/people-search.ts';
import { chosenBy, type FilterSaid } from './chosen.ts';
import { refuseGone } from './drafts.ts';
import { type Operation, type OperationName, operationNamed, operations } from './operations.ts';
import { batches } from './run.ts';

type Batch = store.Batch;

export type { NotDone } from '../../store/batches.ts';
export type BatchSoFar = Batch & { progress: store.Progress };

/** The people who are meant: those with these ids, or all that match a filter. */
type Meant = { ids: readonly string[] } | { filter: UserFilter };

type Selected = { ids?: readonly string[]; everyone?: boolean; filter: UserFilter };

/** @throws AdminRefusal unless exactly one way says who is meant */
export function checkSelection({ ids, everyone, filter }: Selected): Meant {
  const filters = Object.values(filter).some((said) => said !== undefined);
  if ([ids !== undefined, everyone === true, filters].filter(Boolean).length !== 1)
    refuseAdmin('ids', sentence('refused.batch.whom'));
  return ids ? { ids } : { filter };
}

/** The people who are meant, for the user to confirm. @throws AdminRefusal */
export function lookAhead(
  operation: OperationName,
  { ids, everyone, ...said }: PeopleSaid & Omit<Selected, 'filter'>,
  now: Date,
): Promise<store.BatchSubject[]> {
  const meant = checkSelection({ ids, everyone, filter: readFilter(said, now) });
  return subjectsOf(operation, meant, now);
}

type Asked = {
  operation: OperationName;
  meant: Meant;
  group?: string;
  /** When it ends, for operations with `until`; null: never. */
  endsAt?: Date | null;
  /** Why; needed above `mostWithoutNote`. */
  note?: string;
  /** The filter as it was said. */
  said?: FilterSaid;
  /** How many people were meant when the user decided. */
  expected?: number;
};

/**
 * Starts doing something to many people in the background. Whether it may be done to each one is
 * checked when their turn comes, by the act that does it to one.
 * @throws AdminRefusal, NotAllowed
 */
export async function startBatch(
  { operation, meant, group, endsAt, expected, note, said = {} }: Asked,
  by: By,
): Promise<BatchSoFar> {
  demand(operations[operation].act, by);
  const given = await givenTo(operations[operation], group);
  checkUntil(operation, endsAt, by.now);
  const items = await subjectsOf(operation, meant, by.now);
  await demandGroups(operation, items, by);
  if (expected !== undefined && items.length !== expected) {
    const count = items.length;
    refuseAdmin('expect', sentence('refused.batch.otherCount', { count, expected }), 'conflict');
  }
  const why = checkNote(note, operations[operation].noun === 'invitation' ? 0 : items.length);
  const chosen = 'ids' in meant ? null : await chosenBy(said);
  return begin({ operation, group: given, endsAt, items, note: why, chosen }, by);
}

/** For how many people no reason is asked. */
export const mostWithoutNote = 20;
const longestNote = 500;

/** The note without surrounding space; null if there is none. @throws AdminRefusal */
function checkNote(said: string | undefined, count: number): string | null {
  const note = said?.trim() || null;
  if (note === null && count > mostWithoutNote)
    refuseAdmin('note', sentence('refused.batch.note', { count, most: mostWithoutNote }));
  if (note !== null && !isSoundText(note, longestNote))
    refuseAdmin('note', sentence('refused.batch.noteLong', { most: longestNote }));
  return note;
}

/**
 * Invites the people on an uploaded list, which is used up by this.
 * @throws AdminRefusal, NotAllowed
 */
export async function startOfList(
  list: string,
  items: readonly store.BatchSubject[],
  by: By,
): Promise<BatchSoFar> {
  demand(operations.invite.act, by);
  return begin({ operation: 'invite', group: null, items, list, note: null, chosen: null }, by);
}

type ToBegin = {
  operation: OperationName;
  group: Group | null;
  endsAt?: Date | null | undefined;
  items: readonly store.BatchSubject[];
  list?: string;
} & Pick<Batch, 'note' | 'chosen'>;

async function begin(toBegin: ToBegin, by: By): Promise<BatchSoFar> {
  const { operation, group, endsAt, items, list, note, chosen } = toBegin;
  const { now } = by;
  const actor = joining(by);
  const until: store.Given =
    endsAt === undefined ? {} : { ends_at: endsAt?.toISOString() ?? 'never' };
  const told = {
    operation,
    count: items.length,
    ...(group && { group: group.name }),
    ...until,
    ...(note && { note }),
    ...(chosen && { chosen }),
  };
  const given: store.Given = { ...(group && { group: group.id }), ...until };
  const batch = { ...madeBy(actor), operation, given, note, chosen, undoes: null, items, list };
  const eventOf = (id: string) =>
    eventBy(actor, 'batch.started', { detail: { batch: id, ...told } });
  const id = await store.storeBatch(batch, eventOf, now);
  if (id === 'full') return refuseFull(list);
  batches.soon();
  return showBatch(id, by);
}

/** The actor, with a request id that joins the events, also of what no request began. */
export const joining = ({ actor, now }: By): Actor & { requestId: string } => ({
  ...actor,
  requestId: actor.requestId ?? newId(now),
});

export const madeBy = ({ id, address = null, requestId }: ReturnType<typeof joining>) => ({
  madeBy: id,
  address,
  requestId,
});

async function refuseFull(list: string | undefined): Promise<never> {
  if (list !== undefined && (await findDraft(list)) === null) refuseGone();
  const most = store.mostUnderWay;
  return refuseAdmin(null, sentence('refused.batch.full', { most }), 'full');
}

/**
 * Demands what the act demands of a user who does it to one.
 * @throws NotAllowed, or what `demandFresh` throws
 */
export function demand({ may: need }: { may: RoleNeed }, { role, demandFresh }: By): void {
  const { permission, fresh } = needOf(need);
  if (!may(role, permission)) throw new NotAllowed(`The role ${role} may not do this.`);
  if (fresh) demandFresh();
}

/** Invitations bring groups along, sent later, when there is no one to ask. */
async function demandGroups(
  operation: OperationName,
  items: readonly store.BatchSubject[],
  { demandFresh }: By,
): Promise<void> {
  if (operation !== 'resend-invitation') return;
  if (await anyBringsGroups(items.map(({ subject }) => subject))) demandFresh('group');
}

/** The group that an operation needs. @throws AdminRefusal if it was not said, or is deleted */
export async function givenTo(operation: Operation, group?: string): Promise<Group | null> {
  if (!operation.group) return null;
  if (!group) return refuseAdmin('group', sentence('refused.batch.group'));
  return groupWithId(group);
}

/** @throws AdminRefusal at `ends_at` */
function checkUntil(operation: OperationName, endsAt: Date | null | undefined, now: Date): void {
  const until = operationNamed(operation)?.until;
  if (until === 'needed' && endsAt === undefined)
    refuseAdmin('ends_at', sentence('refused.batch.end'));
  if (!until && endsAt !== undefined)
    refuseAdmin('ends_at', sentence('refused.batch.noEnd', { operation }));
  checkEnd(endsAt, now);
}

/** Everyone who is meant, each once. @throws AdminRefusal if there are none, or too many */
async function subjectsOf(
  operation: OperationName,
  meant: Meant,
  now: Date,
): Promise<store.BatchSubject[]> {
  if (!('ids' in meant) && operations[operation].noun === 'invitation')
    refuseAdmin('ids', sentence('refused.batch.invitations'));
  const found =
    'ids' in meant
      ? await labelled(operation, checkedIds(meant.ids), now)
      : await matching(meant.filter);
  if (found.length === 0) refuseAdmin(null, sentence('refused.batch.nobody'));
  if (found.length > store.mostInBatch) refuseTooMany();
  return found;
}

/** The same people as in the list of people, with sign-ins of a moment ago counted. */
async function matching(filter: UserFilter): Promise<store.BatchSubject[]> {
  await flushUsage();
  return findPeople(await asMeant(filter), store.mostInBatch + 1);
}

function checkedIds(ids: readonly string[]): string[] {
  const wanted = [...new Set(ids)];
  return wanted.length > store.mostInBatch ? refuseTooMany() : wanted;
}

const refuseTooMany = (): never =>
  refuseAdmin('ids', sentence('refused.batch.tooMany', { most: store.mostInBatch }));

async function labelled(
  operation: OperationName,
  ids: readonly string[],
  now: Date,
): Promise<store.BatchSubject[]> {
  const labels =
    operations[operation].noun === 'invitation'
      ? new Map((await listInvitations(now)).map(({ id, email }) => [id, email]))
      : await labelsOf(ids);
  return ids.map((id) => ({ subject: id, label: labels.get(id) ?? id.slice(0, 80) }));
}

/** Users who only help people see just the batches that they started. */
const seesAll = ({ role }: Pick<By, 'role'>) => may(role, 'see-everything');

export async function listBatches(by: By): Promise<BatchSoFar[]> {
  const found = await store.listBatches(seesAll(by) ? null : by.actor.id, mostListed);
  return Promise.all(found.map(withProgress));
}

const mostListed = 50;

/** The batch with this id. @throws AdminRefusal */
export async function showBatch(id: string, by: Pick<By, 'actor' | 'role'>): Promise<BatchSoFar> {
  const found = await store.findBatch(id);
  if (!found || !(seesAll(by) || found.madeBy === by.actor.id))
    return refuseAdmin('batch', sentence('refused.batch.gone'), 'missing');
  return withProgress(found);
}

const withProgress = async (batch: Batch): Promise<BatchSoFar> => ({
  ...batch,
  progress: await store.progressOf(batch.id),
});

/** The items that a batch did not do, and why, after a position. @throws AdminRefusal */
export async function listNotDone(
  id: string,
  by: By,
  { cursor, limit = 100 }: { cursor?: string; limit?: number },
): Promise<{ rows: store.NotDone[]; next: string | null }> {
  await showBatch(id, by);
  if (!Number.isInteger(limit) || limit < 1 || limit > 500)
    refuseAdmin('limit', sentence('refused.list.limit', { most: '500' }));
  if (cursor && !/^\d{1,6}$/.test(cursor)) refuseAdmin('cursor', sentence('refused.list.cursor'));
  const found = await store.listNotDone(id, cursor ? Number(cursor) : -1, limit + 1);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: last && found.length > limit ? String(last.position) : null };
}

/** The ids of the invitations that a batch made and that are still pending, the first one first. */
export async function pendingOf({ id, operation }: Batch, now: Date): Promise<string[]> {
  if (operation !== 'invite') return [];
  const emails = new Set((await store.doneSubjects(id)).map(loginKey));
  const pending = await listInvitations(now);
  return pending
    .toReversed()
    .filter(({ email }) => emails.has(loginKey(email)))
    .map((each) => each.id);
}

/** Stops a batch and leaves the remaining items undone. @throws AdminRefusal */
export async function stopBatch(id: string, by: By): Promise<BatchSoFar> {
  const { operation } = await showBatch(id, by);
  const why = JSON.stringify(sentence('refused.batch.stopped'));
  const event = eventBy(by.actor, 'batch.stopped', { detail: { batch: id, operation } });
  await store.endBatch(id, why, by.now, event);
  return showBatch(id, by);
}
