import { afterAll, describe, expect, test } from 'vitest';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { textIn } from '#lib/messages/text.ts';
import { findDirectoryLink } from '#lib/store/directories.ts';
import { findUserByLogin, storeUser } from '#lib/store/users.ts';
import { haveDebianPackages } from '../support/debian-packages.ts';
import { freePort } from '../support/free-port.ts';
import { textOf } from '../support/html.ts';
import { openServer } from '../support/open-server.ts';
import { Person } from '../support/person.ts';
import { newUser, password } from '../support/seed.ts';
import {
  directoriesFile,
  ldapPassword,
  people,
  personLdif,
  startSlapd,
  windowsPersonLdif,
} from '../support/slapd.ts';

const have = await haveDebianPackages('slapd', 'ldap-utils', 'openssl');
const slapd = have ? await startSlapd() : null;
afterAll(() => slapd?.stop());

const say = textIn('en');

describe.runIf(slapd)('sign-in with a password of an LDAP directory', async () => {
  if (!slapd) return;
  const brief = '    timeout: 2 seconds\n';
  const server = await openServer({
    DIRECTORIES_FILE: directoriesFile(slapd, [slapd.tls], brief),
  });
  const nowhere = `ldaps://localhost:${await freePort()}`;
  const away = await server.another({
    DIRECTORIES_FILE: directoriesFile(slapd, [nowhere], brief),
  });
  const windows = await server.another({
    DIRECTORIES_FILE: directoriesFile(slapd, [slapd.tls], '    kind: active-directory\n'),
  });

  // A server that has not been set up has no sign-in page.
  await newUser();

  let serial = 0;
  /** Adds a person who exists only in the directory. */
  const arrive = async (ldif: (name: string) => string = personLdif) => {
    serial += 1;
    const name = `in-${Date.now()}-${serial}`;
    await slapd.modify(ldif(name));
    return name;
  };
  /**
   * The text shown after a failed sign-in, which is on the sign-in page with the name filled in.
   */
  const refused = async (at: typeof server, name: string, word: string) => {
    const page = await new Person(at).signIn(name, word);
    expect(page.at).toBe('/login');
    expect(page.html).toContain(`value="${name}"`);
    if (word.trim()) expect(page.html).not.toContain(word);
    return textOf(page.html);
  };
  const reasonFor = async (name: string) => {
    const { rows } = await listAudit({ type: 'sign-in.failure', limit: 30 });
    return rows.find(({ detail }) => JSON.stringify(detail).includes(name))?.detail.reason;
  };

  test('works with user name and email address, and leads to one account', async () => {
    const name = await arrive();
    const person = new Person(server);
    expect((await person.signIn(name, ldapPassword)).at).toBe('/account');
    const user = await findUserByLogin(name);
    expect(user).toMatchObject({ email: `${name}@people.example.org`, passwordHash: null });
    const again = new Person(server);
    const address = `${name.toUpperCase()}@people.example.org`;
    expect((await again.signIn(address, ldapPassword)).at).toBe('/account');
    expect(await findDirectoryLink(user?.id ?? '')).toMatchObject({
      entryId: await slapd.idOf(`uid=${name},${people}`),
    });
    const page = await person.open('/account/sign-in');
    expect(textOf(page.html)).toContain(say('ways.passwordElsewhere'));
    expect(page.forms.map(({ action }) => action)).not.toContain('/account/password/submit');
  });

  test('with a wrong password says the same, whether the user has an account or not', async () => {
    const known = await arrive();
    const unknown = await arrive();
    await new Person(server).signIn(known, ldapPassword);
    for (const name of [known, unknown, 'nobody-at-all'])
      expect(await refused(server, name, 'not this one')).toContain(say('signIn.wrong'));
    expect(await findUserByLogin(unknown)).toBeNull();
  });

  test('without a password is refused, although LDAP accepts an empty bind', async () => {
    const name = await arrive();
    expect(await refused(server, name, '')).toContain(say('signIn.passwordMissing'));
    for (const word of [' ', '\t'])
      expect(await refused(server, name, word)).toContain(say('signIn.wrong'));
    expect(await findUserByLogin(name)).toBeNull();
  });

  test('while the directory is down says so for every failed sign-in; local users sign in as usual', async () => {
    const name = await arrive();
    await new Person(server).signIn(name, ldapPassword);
    const local = await newUser();
    for (const word of [ldapPassword, 'not this one'])
      for (const who of [name, local.username, 'nobody-at-all'])
        expect(await refused(away, who, word)).toContain(say('signIn.away'));
    // Everyone else signs in as usual.
    const person = new Person(away, local.username);
    expect((await person.signIn()).at).toBe('/account');
  });

  test('keeps its session while the directory is down', async () => {
    const name = await arrive();
    const person = new Person(server);
    await person.signIn(name, ldapPassword);
    const elsewhere = Object.assign(new Person(away), { cookies: person.cookies });
    expect((await elsewhere.open('/account')).at).toBe('/account');
  });

  test('is refused for a user disabled in Active Directory, and the audit log has the reason', async () => {
    const on = await arrive((name) => windowsPersonLdif(name, 512));
    const off = await arrive((name) => windowsPersonLdif(name, 514));
    expect((await new Person(windows).signIn(on, ldapPassword)).at).toBe('/account');
    expect(await refused(windows, off, ldapPassword)).toContain(say('signIn.wrong'));
    expect(await reasonFor(off)).toBe('directory-disabled');
    expect(await findUserByLogin(off)).toBeNull();
    await slapd.modify(
      `dn: cn=${on},${people}\nchangetype: modify\nreplace: userAccountControl\nuserAccountControl: 66050\n`,
    );
    expect(await refused(windows, on, ldapPassword)).toContain(say('signIn.wrong'));
    expect(await reasonFor(on)).toBe('directory-disabled');
  });

  test('is refused where a local user has the same user name', async () => {
    const name = await arrive();
    const { passwordHash } = (await findUserByLogin((await newUser()).username)) ?? {};
    const account = { username: name, email: `${name}@elsewhere.example`, name: null };
    const local = await storeUser(
      { ...account, passwordHash: passwordHash ?? null, isAdmin: false },
      new Date(),
    );
    if ('taken' in local) throw new Error('The name is taken.');
    for (const login of [name, `${name}@people.example.org`]) {
      expect(await refused(server, login, ldapPassword)).toContain(say('signIn.wrong'));
      expect(await reasonFor(name)).toBe('directory-collision');
    }
    expect((await new Person(server).signIn(name, password)).at).toBe('/account');
    expect(await findDirectoryLink(local.id)).toBeNull();
  });

  test('is limited after ten wrong passwords', async () => {
    const name = await arrive();
    await new Person(server).signIn(name, ldapPassword);
    const person = new Person(server);
    for (let tries = 0; tries < 10; tries += 1) await person.signIn(name, `wrong ${tries}`);
    const page = await person.signIn(name, ldapPassword);
    expect(page.at).toBe('/login');
    expect(textOf(page.html)).toMatch(/Too many/i);
  });
});
