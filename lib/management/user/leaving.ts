import { logouts } from '../../identity/back-channel.ts';
import { sentence } from '../../messages/sentence.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import type { AuditEntry } from '../../store/audit-entry.ts';
import type { Total } from '../../store/engine/page.ts';
import { grantList } from '../../store/grant-list.ts';
import * as store from '../../store/leaving.ts';
import { groupsOf } from '../group/groups.ts';
import { refuseAdmin, refuseConflict } from '../refusal.ts';
import { listSessions } from '../session/sessions.ts';
import {
  findUserId,
  refuseLastAdmin,
  refuseMissingUser,
  rest,
  type UserRecord,
  userWithId,
} from './users.ts';

export type Belongings = {
  user: UserRecord;
  lastAdmin: boolean;
  apps: store.OwnedApp[];
  keys: store.OwnedKey[];
  tokens: store.OwnedToken[];
  invitations: store.SentInvitation[];
  groups: string[];
  /** The number of their sessions, at most 100. */
  sessions: number;
  approvals: Total;
  /** How many apps they let in or kept out. */
  decisions: number;
};

/** What a person owns. @throws AdminRefusal if there is no such person */
export async function belongingsOf(id: string, now: Date): Promise<Belongings> {
  const user = await userWithId(id);
  const [lastAdmin, apps, keys, tokens, invitations, groups, sessions, approvals, decisions] =
    await Promise.all([
      store.isLastAdmin(id),
      store.appsOfContact(id),
      store.keysOfMaker(id),
      store.tokensOfMaker(id),
      store.invitationsBy(id, now),
      groupsOf(id),
      listSessions(id, now),
      grantList.count({ userId: id }),
      store.countDecisions(id),
    ]);
  return {
    user,
    lastAdmin,
    apps,
    keys,
    tokens,
    invitations,
    approvals,
    decisions,
    groups: groups.map(({ name }) => name),
    sessions: sessions.length,
  };
}

type LeavingSaid = {
  id: string;
  /** The person who takes over, by id, username or email address. */
  successor?: string;
  account: 'disable' | 'delete';
};

export type Left = {
  user: UserRecord;
  successor: UserRecord | null;
  apps: store.OwnedApp[];
  keys: store.OwnedKey[];
  tokens: store.OwnedToken[];
};

/**
 * Lets a person leave, all or nothing: their apps get the successor as a contact, their keys and
 * registration tokens end, they are signed out everywhere, and then disabled or deleted.
 * @throws AdminRefusal for the last enabled admin, or without a successor if an app needs one
 */
export async function leave(said: LeavingSaid, actor: Actor, now: Date): Promise<Left> {
  const { user, lastAdmin, apps, keys, tokens } = await belongingsOf(said.id, now);
  if (lastAdmin) refuseLastAdmin(user);
  const successor = await successorOf(user, said.successor, apps);
  const left = { user, successor, apps, keys, tokens };
  const keeping = said.account === 'delete' ? await rest(user, actor, now) : [];
  const leaving = { id: user.id, successor: successor?.id ?? null, apps, keys, tokens, keeping };
  const events = eventsOf(left, said.account, actor);
  const outcome = await store.leave({ ...leaving, account: said.account }, events, now);
  if (outcome === 'missing') refuseMissingUser(user.username);
  // They may be the last admin by now, or own something else.
  if (outcome === 'refused' && (await store.isLastAdmin(user.id))) refuseLastAdmin(user);
  if (outcome !== 'done') refuseConflict('account');
  logouts.soon();
  return left;
}

async function successorOf(
  user: UserRecord,
  key: string | undefined,
  apps: readonly store.OwnedApp[],
): Promise<UserRecord | null> {
  const typed = key?.trim() ?? '';
  if (typed) return successorNamed(typed, user);
  const count = apps.filter(({ alone }) => alone).length;
  if (count > 0) refuseAdmin('successor', sentence('refused.leaving.needed', { count }));
  return null;
}

async function successorNamed(typed: string, user: UserRecord): Promise<UserRecord> {
  const names = [sentence('refused.quoted', { text: typed.slice(0, 80) })];
  const id =
    (await findUserId(typed)) ??
    refuseAdmin('successor', sentence('refused.person.unknown', { names }));
  const { username: name } = user;
  if (id === user.id) refuseAdmin('successor', sentence('refused.leaving.self', { name }));
  const successor = await userWithId(id);
  if (successor.disabledAt)
    refuseAdmin('successor', sentence('refused.leaving.disabled', { name: successor.username }));
  return successor;
}

/** The audit events, with one for each app and key as if it had been changed by itself. */
function eventsOf(
  { user, successor, apps, keys, tokens }: Left,
  account: LeavingSaid['account'],
  actor: Actor,
): AuditEntry[] {
  const about = apps.map(({ id }) => ({ clientId: id, userId: user.id }));
  const added = successor ? about.map((each) => ({ ...each, userId: successor.id })) : [];
  return [
    ...added.map((each) => eventBy(actor, 'client.contact-added', each)),
    ...about.map((each) => eventBy(actor, 'client.contact-removed', each)),
    ...keys.map(({ id, name }) => eventBy(actor, 'api-key.deleted', { detail: { id, name } })),
    ...tokens.map(({ id, name }) =>
      eventBy(actor, 'registration-token.removed', { detail: { id, name } }),
    ),
    ...endOf(user, successor, account, actor),
  ];
}

function endOf(
  user: UserRecord,
  successor: UserRecord | null,
  account: LeavingSaid['account'],
  actor: Actor,
): AuditEntry[] {
  const { id: userId, username, email } = user;
  const handed = successor ? { successor: successor.username } : {};
  if (account === 'delete')
    return [eventBy(actor, 'user.deleted', { userId, detail: { username, email, ...handed } })];
  return user.disabledAt ? [] : [eventBy(actor, 'user.disabled', { userId, detail: handed })];
}
