import { randomBytes } from 'node:crypto';
import { hashPassword } from '#lib/identity/passwords.ts';
import type { StoredClaims } from '#lib/oauth/claims.ts';
import {
  type ClientOrigin,
  type ClientSettings,
  newClient as plainClient,
} from '#lib/oauth/client.ts';
import { digest, newSecret } from '#lib/oauth/secrets.ts';
import { addressStatements, insertingClient, secretStatements } from '#lib/store/client-changes.ts';
import { write, writeTogether } from '#lib/store/engine/database.ts';
import { raising } from '#lib/store/engine/revision.ts';
import { storeUser } from '#lib/store/users.ts';

export { newPkce } from './pkce.ts';

/** The password of every test user. */
export const password = 'correct horse battery staple';

let hashed: Promise<string> | undefined;

export type TestUser = { id: string; username: string; email: string };

/** Stores a user with a unique name. */
export async function newUser(
  options: {
    isAdmin?: boolean;
    role?: 'support' | 'auditor';
    name?: string;
    picture?: string;
    claims?: StoredClaims;
  } = {},
): Promise<TestUser> {
  hashed ??= hashPassword(password);
  const username = `person-${randomBytes(6).toString('hex')}`;
  const email = `${username}@example.com`;
  const stored = await storeUser(
    {
      username,
      email,
      name: options.name ?? null,
      passwordHash: await hashed,
      isAdmin: options.isAdmin ?? false,
    },
    new Date(),
  );
  if ('taken' in stored) throw new Error(`The ${stored.taken} is taken.`);
  const { picture = null, claims = {}, role = null } = options;
  const further = { picture, role, claims: JSON.stringify(claims), id: stored.id };
  await write(
    'UPDATE users SET picture = :picture, role = :role, claims = :claims WHERE id = :id',
    further,
  );
  return { id: stored.id, username, email };
}

/**
 * A user whose account is 200 days old and who last signed in `last` days ago, or never if null.
 */
export async function oldUser(last: number | null, name?: string): Promise<TestUser> {
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600_000);
  const user = await newUser({ name });
  await write('UPDATE users SET created_at = :since, last_sign_in_at = :last WHERE id = :id', {
    id: user.id,
    since: daysAgo(200),
    last: last === null ? null : daysAgo(last),
  });
  return user;
}

export type TestClient = { id: string; secret: string; redirectUri: string };

export type ClientOptions = Partial<ClientSettings> & {
  id?: string;
  disabled?: boolean;
  origin?: ClientOrigin;
};

/** Stores a client. Without options it is confidential and has one https redirect URI. */
export async function newClient(options: ClientOptions = {}): Promise<TestClient> {
  const { id = `client-${randomBytes(6).toString('hex')}`, ...given } = options;
  const { disabled = false, origin = 'admin', ...said } = given;
  const client: ClientSettings = {
    ...plainClient,
    name: `App ${id}`,
    redirectUris: [`https://${id}.example/callback`],
    grants: ['authorization_code', 'refresh_token'],
    ...said,
  };
  const [secret, now] = [newSecret('clientSecret'), new Date()];
  const hash = client.type === 'public' ? null : digest(secret);
  const then = [
    ...addressStatements(id, client),
    ...secretStatements(id, hash, now),
    {
      sql: 'UPDATE clients SET disabled_at = :at WHERE id = :id',
      params: { id, at: disabled ? now : null },
    },
    raising(),
  ];
  const made = await writeTogether(insertingClient(id, client, origin, now), then);
  if (made.length === 0) throw new Error(`The client ${id} was not stored.`);
  return { id, secret, redirectUri: client.redirectUris[0] ?? '' };
}
