import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDirectories } from '#lib/identity/directory/configured.ts';
import { askForPassword } from '#lib/identity/directory/passwords.ts';
import { syncDirectory, syncDue } from '#lib/identity/directory/sync.ts';
import { sealedLetter } from '#lib/mail/letter.ts';
import { perform } from '#lib/management/act.ts';
import { directoryActs } from '#lib/management/directory/acts.ts';
import { leaveQueuesToServer } from '#lib/queue.ts';
import { findDirectoryLink, listSyncs } from '#lib/store/directories.ts';
import { type Columns, read, write } from '#lib/store/engine/database.ts';
import { leasesHeld, takeLease } from '#lib/store/engine/leases.ts';
import { findUserRecordById } from '#lib/store/user-list.ts';
import { findUser, findUserByLogin } from '#lib/store/users.ts';
import { haveDebianPackages } from '../support/debian-packages.ts';
import { putMade } from '../support/made.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newUser, password } from '../support/seed.ts';
import { directoriesYaml, ldapPassword, people, personLdif, startSlapd } from '../support/slapd.ts';

const have = await haveDebianPackages('slapd', 'ldap-utils', 'openssl');
const slapd = have ? await startSlapd() : null;
afterAll(() => slapd?.stop());

const directoryOf = (yaml: string) => {
  const value = readDirectories(yaml, '/');
  putMade('directories', value);
  putMade('directory-servers', new Map());
  const [directory] = value;
  if (!directory) throw new Error('There is none.');
  return directory;
};
const actor = { id: 'cli' };
const by = () => ({ actor, role: 'admin' as const, now: new Date(), demandFresh: () => {} });
const signIn = async (login: string) => {
  const local = await findUserByLogin(login);
  const answer = await askForPassword({ login, password: ldapPassword, local }, actor, new Date());
  if (!('user' in answer)) throw new Error(JSON.stringify(answer));
  return answer.user.id;
};

describe.runIf(slapd)('the sync of an LDAP directory', () => {
  if (!slapd) return;
  onEachDatabase(() => {
    beforeAll(leaveQueuesToServer);

    let serial = 0;
    /** Users who are in the directory and have an account. */
    const arrive = async (count: number) => {
      const names = Array.from({ length: count }, () => {
        serial += 1;
        return `sync-${Date.now()}-${serial}`;
      });
      await slapd.modify(names.map((name) => personLdif(name)).join('\n'));
      const ids: string[] = [];
      for (const name of names) ids.push(await signIn(name));
      return names.map((name, at) => ({ name, id: ids[at] ?? '', dn: `uid=${name},${people}` }));
    };
    const remove = (dns: readonly string[]) =>
      slapd.modify(dns.map((dn) => `dn: ${dn}\nchangetype: delete\n`).join('\n'));
    /** The notices waiting to be sent to an address. */
    const noticesTo = async (to: string) => {
      const waiting = await read<Columns<'outgoing_mails', 'sealed'>>(
        'SELECT sealed FROM outgoing_mails',
        {},
      );
      const letters = await Promise.all(waiting.map(({ sealed }) => sealedLetter.open(sealed)));
      return letters.flatMap((letter) =>
        letter?.kind === 'notice' && letter.to === to
          ? [{ notice: letter.notice, values: letter.values }]
          : [],
      );
    };
    const isEnabled = async (id: string) => (await findUser(id))?.disabled === false;

    test('updates name and email, by the id of the entry', async () => {
      const directory = directoryOf(directoriesYaml(slapd, [slapd.tls]));
      const [one] = await arrive(1);
      if (!one) return;
      const renamed = `renamed-${one.name}`;
      await slapd.modify(
        `dn: ${one.dn}\nchangetype: modrdn\nnewrdn: uid=${renamed}\ndeleteoldrdn: 1\n\n` +
          `dn: uid=${renamed},${people}\nchangetype: modify\nreplace: mail\nmail: ${renamed}@elsewhere.example\n-\nreplace: cn\ncn: Another Name\n`,
      );
      const plan = await syncDirectory(directory, new Date(), { plan: true });
      expect(plan.changed).toEqual([one.name]);
      expect((await findUserRecordById(one.id))?.name).not.toBe('Another Name');
      expect(await syncDirectory(directory, new Date())).toMatchObject({
        outcome: 'done',
        disabled: [],
      });
      expect(await findUserRecordById(one.id)).toMatchObject({
        username: one.name,
        name: 'Another Name',
        email: `${renamed}@elsewhere.example`,
        emailVerified: false,
      });
      expect((await syncDirectory(directory, new Date())).changed).toEqual([]);
      // The old address gets one mail about it.
      expect(await noticesTo(`${one.name}@people.example.org`)).toEqual([
        { notice: 'email-changed', values: { email: `${renamed}@elsewhere.example` } },
      ]);
    });

    test('disables users who are no longer there, and stops before it disables many', async () => {
      const directory = directoryOf(directoriesYaml(slapd, [slapd.tls]));
      const all = await arrive(6);
      const [first, ...others] = all;
      if (!first) return;
      await remove([first.dn]);
      expect((await syncDirectory(directory, new Date())).disabled).toEqual([first.name]);
      expect(await isEnabled(first.id)).toBe(false);
      await remove(others.map(({ dn }) => dn));
      const stopped = await syncDirectory(directory, new Date());
      expect(stopped).toMatchObject({
        outcome: 'stopped',
        disabled: others.map(({ name }) => name),
      });
      for (const { id } of others) expect(await isEnabled(id)).toBe(true);
      expect((await listSyncs())[0]).toMatchObject({ directory: 'staff', outcome: 'stopped' });
      const meant = await perform(directoryActs.sync, { id: 'staff', accept: 5 }, by());
      expect(meant.outcome).toBe('done');
      for (const { id } of others) expect(await isEnabled(id)).toBe(false);
    });

    test('asks about fewer people at once if all are too much for one answer, and goes on', async () => {
      const directory = directoryOf(directoriesYaml(slapd, [slapd.tls]));
      const all = await arrive(57);
      // As large as 400 names of groups: 2.7 MB for all.
      const long = Array.from({ length: 400 }, (_, at) => `cn: ${at} ${'of many '.repeat(14)}`);
      await slapd.modify(
        all
          .map(
            ({ dn }) =>
              `dn: ${dn}\nchangetype: modify\nreplace: cn\ncn: One Of Many\n${long.join('\n')}\n`,
          )
          .join('\n'),
      );
      const gone = all.slice(0, 2);
      await remove(gone.map(({ dn }) => dn));
      const report = await syncDirectory(directory, new Date());
      expect(report).toMatchObject({ outcome: 'done', why: null });
      expect(new Set(report.disabled)).toEqual(new Set(gone.map(({ name }) => name)));
      expect(await signIn(all[5]?.name ?? '')).toBe(all[5]?.id);
    }, 60_000);

    test('disables no one while the directory is away', async () => {
      directoryOf(directoriesYaml(slapd, [slapd.tls]));
      const [one] = await arrive(1);
      if (!one) return;
      const away = directoryOf(directoriesYaml(slapd, ['ldaps://127.0.0.1:1']));
      expect(await syncDirectory(away, new Date())).toMatchObject({
        outcome: 'failed',
        disabled: [],
      });
      expect(await isEnabled(one.id)).toBe(true);
    });

    test('is done by one of several processes, and changes nothing after it was aborted', async () => {
      const directory = directoryOf(directoriesYaml(slapd, [slapd.tls]));
      const [one] = await arrive(1);
      if (!one) return;
      await remove([one.dn]);
      await write('DELETE FROM directory_syncs', {});
      const stop = AbortSignal.abort(new Error('another process does it'));
      await expect(syncDirectory(directory, new Date(), { stop })).rejects.toThrow('another');
      const lease = 'directory-sync:staff';
      await takeLease(lease, 'another process', 60_000, new Date());
      await syncDue();
      expect([await listSyncs(), await isEnabled(one.id)]).toEqual([[], true]);
      await takeLease(lease, 'another process', -1, new Date());
      await Promise.all([syncDue(), syncDue()]);
      expect(await listSyncs()).toMatchObject([{ outcome: 'done' }]);
      expect(await isEnabled(one.id)).toBe(false);
      expect((await leasesHeld([lease], new Date())).size).toBe(1);
    });

    test('includes an account that an admin links, which loses its password, until it is unlinked', async () => {
      directoryOf(directoriesYaml(slapd, [slapd.tls]));
      const user = await newUser();
      expect((await findUser(user.id))?.passwordHash).not.toBeNull();
      await perform(directoryActs.link, { id: 'staff', user: user.id, login: 'dora' }, by());
      expect((await findUser(user.id))?.passwordHash).toBeNull();
      expect(await signIn('dora')).toBe(user.id);
      expect(await signIn(user.username)).toBe(user.id);
      const { resetPassword } = await import('#lib/management/user/users.ts');
      await expect(resetPassword(user.id, password, actor, new Date())).rejects.toThrow();
      const again = perform(
        directoryActs.link,
        { id: 'staff', user: user.id, login: 'emma' },
        by(),
      );
      await expect(again).rejects.toThrow();
      await perform(directoryActs.unlink, { user: user.id }, by());
      expect(await findDirectoryLink(user.id)).toBeNull();
    });
  });
});
