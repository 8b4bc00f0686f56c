import { randomBytes } from 'node:crypto';
import { hashPassword } from '#lib/identity/passwords.ts';
import type { StoredClaims } from '#lib/oauth/claims.ts';
import type { ClientSettings } from '#lib/oauth/client.ts';
import { digest, newSecret } from '#lib/oauth/secrets.ts';
import { raiseRevision } from '#lib/store/engine/revision.ts';
import { storeUser } from '#lib/store/users.ts';
import { prisma } from './prisma.ts';

export { newPkce } from './pkce.ts';

/** Everybody's password. */
export const password = 'correct horse battery staple';

let hashed: Promise<string> | undefined;

export type TestUser = { id: string; username: string; email: string };

/** Stores a person with a name nobody else has. */
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
  await (await prisma()).user.update({
    where: { id: stored.id },
    data: { picture, role, claims: JSON.stringify(claims) },
  });
  return { id: stored.id, username, email };
}

export type TestClient = { id: string; secret: string; redirectUri: string };

export type ClientOptions = Partial<ClientSettings> & { id?: string; disabled?: boolean };

/** Stores a client; without options a confidential one with one https address. */
export async function newClient(options: ClientOptions = {}): Promise<TestClient> {
  const { id = `client-${randomBytes(6).toString('hex')}` } = options;
  const {
    type = 'confidential',
    redirectUris = [`https://${id}.example/callback`],
    postLogoutRedirectUris = [],
    ...rest
  } = options;
  const {
    grants = ['authorization_code', 'refresh_token'],
    scopes = null,
    name = `App ${id}`,
    networks = [],
    groupNames = {},
    constantClaims = {},
    disabled,
    ...flags
  } = rest;
  const secret = newSecret('clientSecret');
  const now = new Date();
  await (await prisma()).client.create({
    data: {
      ...flags,
      id,
      name,
      type,
      grants: grants.join(' '),
      scopes: scopes?.join(' ') ?? null,
      networks: networks.join(' '),
      groupNames: JSON.stringify(groupNames),
      constantClaims: JSON.stringify(constantClaims),
      disabledAt: disabled ? now : null,
      createdAt: now,
      updatedAt: now,
      addresses: {
        create: [
          ...addresses('redirect', redirectUris),
          ...addresses('post_logout', postLogoutRedirectUris),
        ],
      },
      secrets: { create: type === 'public' ? [] : [{ hash: digest(secret), createdAt: now }] },
    },
  });
  await raiseRevision();
  return { id, secret, redirectUri: redirectUris[0] ?? '' };
}

const addresses = (kind: string, uris: readonly string[]) =>
  uris.map((uri, position) => ({ kind, uri, position }));
