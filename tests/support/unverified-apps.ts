import { randomBytes } from 'node:crypto';
import type { ClientOrigin } from '#lib/oauth/client.ts';
import { raiseRevision } from '#lib/store/engine/revision.ts';
import { prisma } from './prisma.ts';
import { type ClientOptions, newClient, type TestClient } from './seed.ts';

type Options = ClientOptions & { host?: string; origin?: Exclude<ClientOrigin, 'admin'> };

export type UnverifiedApp = TestClient & { host: string };

/** A unique host name. */
export const newHost = () => `apps-${randomBytes(6).toString('hex')}.example`;

/** Stores a client as if it had registered itself and one user had allowed it. */
export async function newUnverifiedApp(options: Options = {}): Promise<UnverifiedApp> {
  const { host = newHost(), origin = 'registration', ...rest } = options;
  const id =
    origin === 'document' ? `https://${host}/${randomBytes(6).toString('hex')}` : undefined;
  const client = await newClient({
    type: 'public',
    redirectUris: [`https://${host}/callback`],
    ...(id && { id }),
    ...rest,
  });
  const now = new Date();
  const db = await prisma();
  await db.client.update({ where: { id: client.id }, data: { origin } });
  // The document need not be read again for a day.
  const staleAt = new Date(now.getTime() + 24 * 3600_000);
  await db.clientIntroduction.create({
    data: { clientId: client.id, host, fetchedAt: now, staleAt, createdAt: now },
  });
  await raiseRevision();
  return { ...client, host };
}
