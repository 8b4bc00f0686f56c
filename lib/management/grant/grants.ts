import { logouts } from '../../identity/back-channel.ts';
import { sentence } from '../../messages/sentence.ts';
import { wordInShort } from '../../oauth/grant-words.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import { listApis } from '../../store/apis.ts';
import { endAppPasswords } from '../../store/app-passwords.ts';
import { audit } from '../../store/audit.ts';
import type { Numbered } from '../../store/engine/listing.ts';
import type { Page } from '../../store/engine/page.ts';
import {
  type GrantFilter,
  type GrantSort,
  grantList,
  type GrantRecord as Stored,
} from '../../store/grant-list.ts';
import { flushUsage } from '../../store/usage.ts';
import { revokeGrants as revokeStored } from '../../store/withdrawals.ts';
import { showClient } from '../client/clients.ts';
import { type NumberedPage, numberedPage, pageOf } from '../page.ts';
import { refuseAdmin } from '../refusal.ts';
import { showUser } from '../user/users.ts';

export type { GrantFilter };

/** A grant, with its scopes in words for admins. */
export type GrantRecord = Stored & { said: readonly string[] };

/** Grants, newest first: which user allowed which scopes to which client. @throws AdminRefusal */
export async function listGrants(filter: GrantFilter = {}): Promise<Page<GrantRecord>> {
  await flushUsage();
  const page = await pageOf(grantList, filter);
  return { ...page, rows: await withWords(page.rows) };
}

/** A numbered page of grants, and how many there are. */
export async function listGrantsBy(
  filter: GrantFilter,
  wanted: Numbered<GrantSort>,
): Promise<NumberedPage<GrantRecord>> {
  await flushUsage();
  const listed = await numberedPage(grantList, filter, wanted);
  return { ...listed, rows: await withWords(listed.rows) };
}

async function withWords(grants: readonly Stored[]): Promise<GrantRecord[]> {
  const apis = await listApis();
  const inShort = (word: string) => wordInShort(word, apis);
  return grants.map((row) => ({ ...row, said: row.scopes.map(inShort) }));
}

/**
 * Revokes a user's grant to one client or to all clients, or everyone's grants to a client,
 * together with their codes, tokens and app passwords. `user` is an id, username or email address. Returns how
 * many were revoked.
 * @throws AdminRefusal
 */
export async function revokeGrants(
  of: { user?: string; client?: string },
  actor: Actor,
  now: Date,
): Promise<{ revoked: number }> {
  if (of.user === undefined && of.client === undefined)
    refuseAdmin(null, sentence('refused.grant.whose'));
  const userId = of.user === undefined ? undefined : (await showUser(of.user)).id;
  const clientId = of.client === undefined ? undefined : (await showClient(of.client)).id;
  await endAppPasswords({ userId, clientId }, actor, now);
  const revoked = await revokeStored({ userId, clientId }, now);
  if (revoked > 0)
    await audit(
      eventBy(actor, 'consent.withdrawn', { userId, clientId, detail: { approvals: revoked } }),
      now,
    );
  logouts.soon();
  return { revoked };
}
