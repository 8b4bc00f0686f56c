import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { holdingPeople } from './changing-people.ts';
import { type Columns, locking, read, readOne, writeTogether } from './engine/database.ts';
import { pictureOf } from './logos.ts';
import { shownName } from './shown-name.ts';
import { placeOf } from './sort-keys.ts';

/** A developer of a client. */
type Contact = {
  userId: string;
  username: string;
  email: string;
  disabled: boolean;
  /** They are responsible for it. */
  owner: boolean;
};

/** A client that a user develops. */
export type ContactedClient = { id: string; name: string; picture: string | undefined };

/**
 * Makes a user a contact of a client, up to `most`. False: they already are one, or there is no
 * room.
 */
export async function storeContact(
  of: { clientId: string; userId: string; most: number },
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  const stored = {
    sql: `INSERT INTO client_contacts (client_id, user_id, created_at)
      SELECT c.id, u.id, :now FROM clients c, users u WHERE c.id = :clientId AND u.id = :userId
        AND (SELECT COUNT(*) FROM client_contacts WHERE client_id = :clientId) < :most
      ON CONFLICT DO NOTHING RETURNING user_id`,
    params: { clientId: of.clientId, userId: of.userId, now, most: of.most },
  };
  return (await writeTogether(stored, [auditing(event, now)])).length > 0;
}

/**
 * Makes a user the one who is responsible for a client, and a contact of it. False: the user or the
 * client is gone.
 */
export async function storeOwner(
  params: { clientId: string; userId: string },
  events: readonly AuditEntry[],
  now: Date,
): Promise<boolean> {
  // Locked, so that there is only one owner.
  const held = {
    sql: `SELECT c.id FROM clients c, users u WHERE c.id = :clientId AND u.id = :userId ${locking('FOR UPDATE OF c')}`,
    params,
  };
  const named = {
    sql: `INSERT INTO client_contacts (client_id, user_id, owner, created_at)
      SELECT :clientId, u.id, TRUE, CAST(:now AS TIMESTAMPTZ) FROM users u WHERE u.id = :userId
      ON CONFLICT (client_id, user_id) DO UPDATE SET owner = TRUE`,
    params: { ...params, now },
  };
  const others = {
    sql: 'UPDATE client_contacts SET owner = FALSE WHERE client_id = :clientId AND user_id <> :userId',
    params,
  };
  const then = [named, others, ...events.map((event) => auditing(event, now))];
  // A deletion of this user that begins now waits, or has already happened.
  return (await writeTogether(held, then, [holdingPeople([params.userId])])).length > 0;
}

/** The names of the agents that a user is responsible for, at most `most`. */
export async function agentsOf(userId: string, most: number): Promise<string[]> {
  const sql = `SELECT ${shownName('c')} AS name FROM client_contacts k JOIN clients c ON c.id = k.client_id
    WHERE k.user_id = :userId AND k.owner = TRUE AND c.agent = TRUE ORDER BY ${placeOf.client('c')}, c.id LIMIT ${most}`;
  return (await read<Columns<'clients', 'name'>>(sql, { userId })).map(({ name }) => name);
}

/** The names of the agents without a responsible person who may sign in, at most `most`. */
export async function agentsOfNobody(most: number): Promise<string[]> {
  const sql = `SELECT ${shownName('c')} AS name FROM clients c WHERE c.agent = TRUE AND c.disabled_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM client_contacts k JOIN users u ON u.id = k.user_id
      WHERE k.client_id = c.id AND k.owner = TRUE AND u.disabled_at IS NULL)
    ORDER BY ${placeOf.client('c')}, c.id LIMIT ${most}`;
  return (await read<Columns<'clients', 'name'>>(sql, {})).map(({ name }) => name);
}

/**
 * The name that people see for the person responsible for a client; null: there is no such person
 * who may sign in.
 */
export async function ownerOf(clientId: string): Promise<string | null> {
  const sql = `SELECT u.username, u.name FROM client_contacts k JOIN users u ON u.id = k.user_id
    WHERE k.client_id = :clientId AND k.owner = TRUE AND u.disabled_at IS NULL ORDER BY k.created_at DESC`;
  const row = await readOne<Columns<'users', 'username' | 'name'>>(sql, { clientId });
  return row ? (row.name ?? row.username) : null;
}

/** Removes a contact. False: they are not one. */
export async function removeContact(
  { clientId, userId }: { clientId: string; userId: string },
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  const gone = {
    sql: 'DELETE FROM client_contacts WHERE client_id = :clientId AND user_id = :userId RETURNING user_id',
    params: { clientId, userId },
  };
  return (await writeTogether(gone, [auditing(event, now)])).length > 0;
}

/** The contacts of a client, by name. */
export async function contactsOf(clientId: string): Promise<Contact[]> {
  const sql = `SELECT u.id, u.username, u.email, u.disabled_at, k.owner FROM client_contacts k JOIN users u ON u.id = k.user_id
    WHERE k.client_id = :clientId ORDER BY ${placeOf.person('u')}, u.id`;
  type Row = Columns<'users', 'id' | 'username' | 'email' | 'disabledAt'> &
    Columns<'client_contacts', 'owner'>;
  const rows = await read<Row>(sql, { clientId });
  return rows.map(({ id, disabledAt, ...row }) => {
    return { ...row, userId: id, disabled: disabledAt !== null };
  });
}

/** Whether a user is a contact of a client and may sign in. */
export async function isContact(userId: string, clientId: string): Promise<boolean> {
  const sql = `SELECT 1 AS one FROM client_contacts k JOIN users u ON u.id = k.user_id
    WHERE k.user_id = :userId AND k.client_id = :clientId AND u.disabled_at IS NULL`;
  return (await readOne(sql, { userId, clientId })) !== undefined;
}

/** The clients that a user is a contact of, by name. */
export async function clientsOfContact(userId: string): Promise<ContactedClient[]> {
  const sql = `SELECT c.id, ${shownName('c')} AS name, c.origin, c.recipe, c.logo FROM client_contacts k JOIN clients c ON c.id = k.client_id
    WHERE k.user_id = :userId ORDER BY ${placeOf.client('c')}, c.id LIMIT 200`;
  const rows = await read<Columns<'clients', 'id' | 'name' | 'origin' | 'recipe' | 'logo'>>(sql, {
    userId,
  });
  return rows.map((row) => ({ id: row.id, name: row.name, picture: pictureOf(row) }));
}
