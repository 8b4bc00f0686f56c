import type { DirectoryLink } from '../../store/directories.ts';
import type { Total } from '../../store/engine/page.ts';
import { findTotp, readFactors } from '../../store/factors.ts';
import { grantList } from '../../store/grant-list.ts';
import { type LinkedIdentity, listIdentities } from '../../store/identities.ts';
import { listPasskeys, type Passkey } from '../../store/passkeys.ts';
import { factsOfPeople } from '../../store/person-facts.ts';
import { flushUsage } from '../../store/usage.ts';
import { type ContactedClient, listContacted } from '../client/contacts.ts';
import { directoryOf } from '../directory/directories.ts';
import type { SessionRecord } from '../session/sessions.ts';
import { listSessions } from '../session/sessions.ts';
import { showUser, type UserRecord } from './users.ts';

/** A user with everything their page shows an admin. */
export type Person = {
  user: UserRecord;
  /** Until when they can't sign in, after wrong passwords or codes. */
  lockedUntil: Date | null;
  passkeys: Passkey[];
  /** When they added an authenticator app. */
  totpSince: Date | null;
  /** The number of unused ones. */
  recoveryCodes: number;
  sessions: SessionRecord[];
  identities: LinkedIdentity[];
  apps: Total;
  /** The directory that has their password, if it is not stored here. */
  directory: (DirectoryLink & { name: string }) | null;
  developerOf: ContactedClient[];
};

/** The user with this id, username or email address. @throws AdminRefusal */
export async function showPerson(key: string, now: Date): Promise<Person> {
  await flushUsage();
  const user = await showUser(key);
  const { id } = user;
  const [facts, passkeys, totp, { recoveryCodes }, sessions, identities, apps, developerOf] =
    await Promise.all([
      factsOfPeople([id], now),
      listPasskeys(id),
      findTotp(id),
      readFactors(id),
      listSessions(id, now),
      listIdentities(id),
      grantList.count({ userId: id }),
      listContacted(id),
    ]);
  const lockedUntil = facts.get(id)?.lockedUntil ?? null;
  const totpSince = totp?.createdAt ?? null;
  const factors = { passkeys, totpSince, recoveryCodes };
  const directory = await directoryOf(id);
  return { user, lockedUntil, ...factors, sessions, identities, apps, directory, developerOf };
}
