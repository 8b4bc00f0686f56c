import { randomBytes } from 'node:crypto';
import { createClient } from '#lib/management/client/clients.ts';
import { AdminRefusal } from '#lib/management/refusal.ts';
import { accountFrom, createUser, type UserRecord } from '#lib/management/user/users.ts';
import { outsideTransaction } from '#lib/store/engine/transaction.ts';

export const actor = { id: 'cli', address: '192.0.2.7', requestId: 'request-1' };
export const password = 'correct horse battery staple';
export const unique = (word: string) => `${word}-${randomBytes(5).toString('hex')}`;

/** Inside a transaction, too: the hash is made outside. */
export async function newPerson(
  more: { admin?: boolean; username?: string; email?: string; name?: string } = {},
): Promise<UserRecord> {
  const username = more.username ?? unique('person');
  const input = { email: `${username}@example.org`, password, ...more, username };
  const account = await outsideTransaction(() => accountFrom(input));
  return createUser(input, actor, new Date(), account);
}

export async function newApp(more: Parameters<typeof createClient>[0] = {}) {
  return createClient(
    { name: 'App', redirectUris: ['https://app.example/cb'], ...more },
    actor,
    new Date(),
  );
}

/**
 * The faults of work that must be refused, by field. A message that belongs to no field is under
 * ''.
 */
export async function faultsOf(work: Promise<unknown>): Promise<Record<string, string>> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof AdminRefusal)) throw error;
    return error.field === null ? { '': error.message } : error.sentences;
  }
  throw new Error('Nothing was refused.');
}
