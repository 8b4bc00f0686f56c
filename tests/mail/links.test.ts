import { beforeAll, expect, test } from 'vitest';
import { invite } from '#lib/management/invitation/invitations.ts';
import { deleteUser } from '#lib/management/user/users.ts';
import { read } from '#lib/store/engine/database.ts';
import { listIdentities } from '#lib/store/identities.ts';
import { findUser } from '#lib/store/users.ts';
import { textOf } from '../support/html.ts';
import { onOneForChange } from '../support/on-each-database.ts';
import { forgetSentForms, type Page, Person } from '../support/person.ts';
import { giveIdentity, newProvider } from '../support/providers.ts';
import { newUser, password, type TestUser } from '../support/seed.ts';
import { newName, openServerWithMail } from '../support/server-with-mail.ts';
import { set } from '../support/settings.ts';
import { setEnvironment } from '../support/work-on.ts';

const actor = { id: 'cli' };
const fresh = 'entirely other words here';
const session = (person: Person) => person.cookies.get('gh_session');

onOneForChange(() => {
  const server = openServerWithMail();
  // Invitations are made in this process.
  beforeAll(() => {
    setEnvironment({ MAIL_URL: server.smtp.url, ISSUER: server.issuer });
  });
  const signedIn = async (user: TestUser): Promise<Person> => {
    const person = new Person(server, user.username);
    await person.signIn();
    return person;
  };

  type Kind = { action: string; fields: () => Record<string, string>; path: () => Promise<string> };
  /**
   * The person who asked for the latest link to another address, which is confirmed in their
   * account.
   */
  let asker: TestUser;
  /** Every kind of link as it is mailed, and the fields that its page needs. */
  const kinds: Record<string, Kind> = {
    recovery: {
      action: '/recover/reset/submit',
      fields: () => ({ new_password: fresh }),
      path: async () => {
        const user = await newUser();
        const person = new Person(server);
        await person.submit(await person.open('/recover'), '/recover/submit', {
          username: user.username,
        });
        return server.pathOf((await server.smtp.next(user.email, /Reset your password/)).link);
      },
    },
    registration: {
      action: '/register/finish/submit',
      fields: () => ({ username: newName(), password }),
      path: async () => {
        await set('REGISTRATION', 'open');
        const email = `${newName()}@example.com`;
        const person = new Person(server);
        await person.submit(await person.open('/register'), '/register/submit', { email });
        return server.pathOf((await server.smtp.next(email, /Confirm/)).link);
      },
    },
    invitation: {
      action: '/register/finish/submit',
      fields: () => ({ username: newName(), password }),
      path: async () => {
        await set('REGISTRATION', 'invitation');
        return server.pathOf((await invite(`${newName()}@example.com`, actor, new Date())).link);
      },
    },
    'e-mail change': {
      action: '/account/email/confirm/submit',
      fields: () => ({}),
      path: async () => {
        const email = `${newName()}@example.com`;
        asker = await newUser();
        const person = await signedIn(asker);
        const page = await person.open('/account/mail');
        await person.submit(page, '/account/email/submit', { email, confirm_password: password });
        return server.pathOf((await server.smtp.next(email, /Confirm your new/)).link);
      },
    },
  };
  const each = Object.entries(kinds);
  /** A browser in which a link of this kind can be used. */
  const visitorOf = async ({ action }: Kind): Promise<Person> =>
    action === '/account/email/confirm/submit' ? signedIn(asker) : new Person(server);

  /** Submits the form of a link without opening its page. */
  const postTo = async ({ action, fields }: Kind, path: string): Promise<Page> => {
    const person = new Person(server);
    const { csrf = '' } = (await person.open('/login')).forms[0]?.fields ?? {};
    const body = new URLSearchParams({
      csrf,
      token: path.split('token=')[1] ?? '',
      ...fields(),
    }).toString();
    return person.open(action, { method: 'POST', body, headers: { Origin: server.issuer } });
  };
  const dead = (page: Page) => expect(textOf(page.html)).toContain('no longer works');
  const tell = async (type: string) =>
    Number((await read('SELECT COUNT(*) AS n FROM audit_events WHERE type = $1', [type]))[0]?.n);
  const effects = async () =>
    (await Promise.all(['password.reset', 'user.registered', 'email.changed'].map(tell))).reduce(
      (sum, n) => sum + n,
      0,
    );

  test.each(each)(
    'the mailed link of %s works once: not again by page, form or in another browser',
    async (_, kind) => {
      const path = await kind.path();
      const person = await visitorOf(kind);
      const page = await person.open(path);
      // A mail program that opens addresses first, or a HEAD request, uses nothing up.
      await new Person(server).open(path);
      await fetch(server.base + path, { method: 'HEAD' });
      const before = await effects();
      await person.submit(page, kind.action, kind.fields());
      expect(await effects()).toBe(before + 1);
      // A double click within seconds is answered alike.
      await forgetSentForms();
      dead(await person.submit(page, kind.action, kind.fields()));
      const other = new Person(server);
      dead(await other.open(path));
      dead(await postTo(kind, path));
      expect(await effects()).toBe(before + 1);
    },
  );

  test.each(each)('the mailed link of %s used in parallel has one effect', async (_, kind) => {
    const path = await kind.path();
    const people = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const person = await visitorOf(kind);
        return { person, page: await person.open(path) };
      }),
    );
    const before = await effects();
    await Promise.all(
      people.map(({ person, page }) => person.submit(page, kind.action, kind.fields())),
    );
    expect(await effects()).toBe(before + 1);
  });

  test.each(each)(
    'the mailed link of %s is refused at the pages for other links',
    async (name, kind) => {
      const path = await kind.path();
      const before = await effects();
      for (const [otherName, other] of each) {
        // One page serves both ways to an account.
        if (other.action === kind.action) continue;
        const end = await postTo(other, path);
        expect(textOf(end.html), `${name} at ${otherName}`).toContain('no longer works');
      }
      expect(await effects()).toBe(before);
      const page = await (await visitorOf(kind)).open(path);
      expect(page.forms.map(({ action }) => action)).toContain(kind.action);
    },
  );

  test('a used mailed link stays used when its change is undone', async () => {
    const made = (await kinds.registration?.path()) ?? '';
    const [name, person] = [newName(), new Person(server)];
    await person.submit(await person.open(made), '/register/finish/submit', {
      username: name,
      password,
    });
    await deleteUser(name, actor, new Date());
    const { registration, 'e-mail change': change } = kinds as Record<string, Kind>;
    const before = await effects();
    dead(await new Person(server).open(made));
    if (registration) dead(await postTo(registration, made));
    expect(await effects()).toBe(before);

    const user = await newUser();
    const owner = await signedIn(user);
    const linkTo = async (email: string) => {
      await owner.submit(await owner.open('/account/mail'), '/account/email/submit', {
        email,
        confirm_password: password,
      });
      return server.pathOf((await server.smtp.next(email, /Confirm your new/)).link);
    };
    const confirm = async (path: string) =>
      owner.submit(await owner.open(path), '/account/email/confirm/submit');
    const away = await linkTo(`${newName()}@example.com`);
    await confirm(away);
    await confirm(await linkTo(user.email));
    expect((await findUser(user.id))?.email).toBe(user.email);
    dead(await owner.open(away));
    if (change) dead(await postTo(change, away));
    expect((await findUser(user.id))?.email).toBe(user.email);
  });

  test('the link to confirm a new address works only in a session of its account', async () => {
    const owner = await newUser();
    const other = await newUser();
    const email = `${newName()}@example.com`;
    const person = await signedIn(owner);
    await person.submit(await person.open('/account/mail'), '/account/email/submit', {
      email,
      confirm_password: password,
    });
    const path = server.pathOf((await server.smtp.next(email, /Confirm your new/)).link);
    const action = '/account/email/confirm/submit';
    const unchanged = async () => expect((await findUser(owner.id))?.email).toBe(owner.email);

    const visitor = await signedIn(other);
    const page = await visitor.open(path);
    expect(textOf(page.html)).toContain(`You’re signed in as ${other.username}`);
    expect(page.html).not.toContain(owner.username);
    expect(page.forms.map((form) => form.action)).not.toContain(action);
    const { csrf = '' } = (await visitor.open('/account/mail')).forms[0]?.fields ?? {};
    const body = new URLSearchParams({ csrf, token: path.split('token=')[1] ?? '' }).toString();
    await visitor.open(action, { method: 'POST', body, headers: { Origin: server.issuer } });
    await unchanged();

    const outsider = new Person(server, owner.username);
    const login = await outsider.open(path);
    expect(login.at).toMatch(/^\/login\?back=/);
    expect(login.html).not.toContain(owner.username);
    await unchanged();
    // A person who can sign in there is asked, and told what it means.
    const asked = await outsider.signInAt(login);
    expect(asked.at).toBe(path);
    expect(textOf(asked.html)).toContain(`You’re signed in as ${owner.username}`);
    expect(textOf(asked.html)).toContain('can reset the account’s password');
    await outsider.submit(asked, action);
    expect((await findUser(owner.id))?.email).toBe(email);
    expect((await findUser(other.id))?.email).toBe(other.email);
  });

  test('an invitation opened by another signed-in user makes a new account and leaves theirs unchanged', async () => {
    const other = await newUser();
    const visitor = await signedIn(other);
    const before = session(visitor);
    const path = await kinds.invitation?.path();
    const name = newName();
    const end = await visitor.submit(await visitor.open(path ?? ''), '/register/finish/submit', {
      username: name,
      password,
    });
    expect(end.at).toBe('/account');
    expect(textOf(end.html)).toContain(name);
    expect(session(visitor)).not.toBe(before);
    const stolen = new Person(server);
    stolen.cookies.set('gh_session', before ?? '');
    expect((await stolen.open('/account')).at).toMatch(/^\/login/);
    expect((await new Person(server).signIn(other.username)).at).toBe('/account');
    expect((await findUser(other.id))?.email).toBe(other.email);
  });

  test('a password reset removes linked identities, and replaces a session planted in the browser', async () => {
    const user = await newUser();
    const attacker = await signedIn(await newUser());
    await giveIdentity(user.id, await newProvider());
    const asking = new Person(server);
    await asking.submit(await asking.open('/recover'), '/recover/submit', {
      username: user.username,
    });
    const path = server.pathOf((await server.smtp.next(user.email, /Reset your password/)).link);
    const victim = new Person(server, user.username);
    victim.cookies.set('gh_session', session(attacker) ?? '');
    const done = await victim.submit(await victim.open(path), '/recover/reset/submit', {
      new_password: fresh,
    });
    expect(done.at).toBe('/account');
    expect(await listIdentities(user.id)).toEqual([]);
    expect(session(victim)).not.toBe(session(attacker));
    expect((await attacker.open('/account')).at).toMatch(/^\/login/);
    expect(textOf((await victim.open('/account')).html)).toContain(user.username);
  });
});
