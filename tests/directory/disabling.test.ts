import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Directory, readDirectories } from '#lib/identity/directory/configured.ts';
import { disableFor, enableFor } from '#lib/identity/directory/follow.ts';
import { syncDirectory } from '#lib/identity/directory/sync.ts';
import { leave } from '#lib/management/user/leaving.ts';
import { disableUser, enableUser } from '#lib/management/user/users.ts';
import { findDirectoryLink, linkEntry, unlinkEntry } from '#lib/store/directories.ts';
import { read } from '#lib/store/engine/database.ts';
import { findUser } from '#lib/store/users.ts';
import {
  entry,
  message,
  operations,
  result,
  startLyingDirectory,
} from '../support/lying-directory.ts';
import { putMade } from '../support/made.ts';
import { onDatabase, onEachDatabase } from '../support/on-each-database.ts';
import { overtaken } from '../support/overtaken.ts';
import { newUser } from '../support/seed.ts';

/*
 * An account can be disabled by its directory, which may enable it again, or by an admin, whose
 * decision stands whatever the directory says.
 */

const actor = { id: 'cli' };
const now = () => new Date();
const people = 'ou=people,dc=example,dc=org';

/** A new directory without any people. */
function newDirectory(url = 'ldap://127.0.0.1:1'): Directory {
  const id = `staff-${randomUUID().slice(0, 8)}`;
  const unencrypted = 'passwords can be read on the way';
  const one = { id, name: 'Example AG', servers: [url], unencrypted, people: { base: people } };
  const [directory] = readDirectories(JSON.stringify({ directories: [one] }), '/');
  putMade('directory-servers', new Map());
  return directory ?? expect.fail();
}

/** A new user who is linked to a directory. */
async function newMember(directory: Directory) {
  const user = await newUser();
  const entryId = randomUUID();
  const link = { directory: directory.id, entryId, userId: user.id, dn: `uid=x,${people}` };
  expect(await linkEntry(link, [], { type: 'identity.linked' }, now())).toBe('linked');
  return { ...user, entryId, directory };
}

/** A user who was disabled by their directory. */
async function disabledThere(directory = newDirectory()) {
  const member = await newMember(directory);
  expect(await disableFor(directory, member.id, now())).toBe(true);
  return member;
}
type Member = Awaited<ReturnType<typeof disabledThere>>;

const standing = async (id: string) => ({
  disabled: (await findUser(id))?.disabled,
  byDirectory: (await findDirectoryLink(id))?.disabledByIt,
});
const enablings = (id: string) =>
  read("SELECT id FROM audit_events WHERE type = 'user.enabled' AND user_id = :id", { id });
const byAdmin = ({ id }: Member) => disableUser(id, actor, now());

const ways: [string, (member: Member) => Promise<unknown>][] = [
  ['disabled it as well', byAdmin],
  ['disabled it when they left', ({ id }) => leave({ id, account: 'disable' }, actor, now())],
  [
    'enabled it, and disabled it again',
    async (member) => {
      await enableUser(member.id, actor, now());
      await byAdmin(member);
    },
  ],
  [
    'disabled it after they were back',
    async (member) => {
      await enableFor(member.directory, member.id, now());
      await byAdmin(member);
    },
  ],
];

onEachDatabase(() => {
  test('an account that its LDAP directory disabled is enabled by the directory, once', async () => {
    const { id, directory } = await disabledThere();
    expect(await standing(id)).toEqual({ disabled: true, byDirectory: true });
    expect(await enableFor(directory, id, now())).toBe(true);
    expect(await standing(id)).toEqual({ disabled: false, byDirectory: false });
    expect(await enableFor(directory, id, now())).toBe(false);
    expect(await enablings(id)).toHaveLength(1);
  });

  test.each(ways)(
    'an LDAP directory does not enable an account after an admin %s',
    async (_, decide) => {
      const member = await disabledThere();
      await decide(member);
      const before = await enablings(member.id);
      expect(await enableFor(member.directory, member.id, now())).toBe(false);
      expect(await standing(member.id)).toEqual({ disabled: true, byDirectory: false });
      expect(await enablings(member.id)).toEqual(before);
    },
  );

  test('an account that an admin enabled no longer counts as disabled by its LDAP directory', async () => {
    const { id } = await disabledThere();
    await enableUser(id, actor, now());
    expect(await standing(id)).toEqual({ disabled: false, byDirectory: false });
  });

  test('an LDAP directory does not disable an account that was unlinked from it', async () => {
    const { id, directory } = await newMember(newDirectory());
    await unlinkEntry(id, [], { type: 'identity.unlinked' }, now());
    expect(await disableFor(directory, id, now())).toBe(false);
    expect((await standing(id)).disabled).toBe(false);
  });

  test('an LDAP sync does not enable an account that an admin disabled during the sync', async () => {
    const [asked, decided] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let entryId = '';
    const slow = await startLyingDirectory(async ({ id, operation }, socket) => {
      if (operation === operations.bind) return void socket.write(message(id, result(0x61, 0)));
      asked.resolve();
      await decided.promise;
      const found = entry(`uid=x,${people}`, { entryUUID: entryId, uid: 'x' });
      socket.write(Buffer.concat([message(id, found), message(id, result(0x65, 0))]));
    });
    onTestFinished(slow.stop);
    const member = await disabledThere(newDirectory(slow.url));
    entryId = member.entryId;
    const syncing = syncDirectory(member.directory, now());
    await asked.promise;
    await enableFor(member.directory, member.id, now());
    await byAdmin(member);
    decided.resolve();
    expect(await syncing).toMatchObject({ outcome: 'done', people: 1, enabled: [] });
    expect(await standing(member.id)).toEqual({ disabled: true, byDirectory: false });
  });
});

onDatabase('postgresql', () => {
  describe('an LDAP directory and an admin at the same moment', () => {
    const enabling = (member: Member) => () => enableFor(member.directory, member.id, now());

    test('the directory waits for an admin who disables an account, and does not enable it', async () => {
      const member = await disabledThere();
      const waited = await overtaken(() => byAdmin(member), enabling(member));
      expect(waited).toEqual({ answer: false, waited: true });
      expect(await standing(member.id)).toEqual({ disabled: true, byDirectory: false });
    });

    test('an admin waits for a directory that enables an account, and then disables it', async () => {
      const member = await disabledThere();
      expect((await overtaken(enabling(member), () => byAdmin(member))).waited).toBe(true);
      expect(await standing(member.id)).toEqual({ disabled: true, byDirectory: false });
    });
  });
});
