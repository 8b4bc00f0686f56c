import { sentence } from '../../messages/sentence.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import type { AuditType } from '../../store/audit-entry.ts';
import * as store from '../../store/deletions.ts';
import { readSettings } from '../../store/settings.ts';
import type { By } from '../act.ts';
import { refuseAdmin } from '../refusal.ts';

type Deletion = store.Deletion & {
  /** Until when it can be put back. */
  until: Date;
};

const day = 24 * 3600_000;
/** The maximum number that is listed. */
const mostListed = 500;

/** What can be put back, the latest first. */
export async function listDeletions(kind: store.DeletedKind | null = null): Promise<Deletion[]> {
  const { deletedRetentionDays } = await readSettings();
  const found = await store.listDeletions(kind, mostListed);
  return found.map((each) => ({
    ...each,
    until: new Date(each.deletedAt.getTime() + deletedRetentionDays * day),
  }));
}

async function deletionWithId(id: string): Promise<store.Deletion> {
  return (
    (await store.findDeletion(id)) ??
    refuseAdmin('deletion', sentence('refused.deletion.gone'), 'missing')
  );
}

const restored: Record<store.DeletedKind, AuditType> = {
  user: 'user.restored',
  client: 'client.restored',
  group: 'group.restored',
};

/** Puts back what was deleted. @throws AdminRefusal if its name or id is taken by now */
export async function putBack(
  id: string,
  { actor, now, demandFresh }: By,
): Promise<store.Deletion> {
  const deletion = await deletionWithId(id);
  const kind = deletion.kind as store.DeletedKind;
  demandFresh(kind);
  const outcome = await store.putBack(
    deletion,
    eventBy(actor, restored[kind], about(deletion)),
    now,
  );
  const { name } = deletion;
  if (outcome === 'taken')
    refuseAdmin('deletion', sentence(`refused.deletion.taken.${kind}`, { name }), 'conflict');
  if (outcome === 'gone') await deletionWithId(id);
  return deletion;
}

/** Deletes it for good at once. @throws AdminRefusal if it is gone */
export async function endDeletion(id: string, actor: Actor, now: Date): Promise<store.Deletion> {
  const deletion = await deletionWithId(id);
  const { kind, subject, name } = deletion;
  const event = eventBy(actor, 'deletion.ended', { detail: { kind, id: subject, name } });
  if (!(await store.endDeletion(id, event, now))) await deletionWithId(id);
  return deletion;
}

function about({ kind, subject, name }: store.Deletion) {
  if (kind === 'user') return { userId: subject, detail: { username: name } };
  if (kind === 'client') return { clientId: subject, detail: { name } };
  return { detail: { id: subject, name } };
}
