import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { alertAdmins } from '#lib/mail/alerts.ts';
import type { AlertValues } from '#lib/mail/letter.ts';
import { chooseNotices, noticeChoices } from '#lib/mail/notify.ts';
import { mails } from '#lib/mail/post.ts';
import { tellOfTheWeek } from '#lib/management/alert/digest.ts';
import { watch } from '#lib/management/alert/watch.ts';
import { refuseApp } from '#lib/management/approval/new-apps.ts';
import { setRole } from '#lib/management/user/users.ts';
import { deleteExpired } from '#lib/store/cleaning.ts';
import { storeClientRequest } from '#lib/store/client-requests.ts';
import { read, write } from '#lib/store/engine/database.ts';
import { recordTrace, writeTraces } from '#lib/store/traces.ts';
import { count, flushUsage } from '#lib/store/usage.ts';
import { actor, newApp, unique } from '../management/people.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { Person } from '../support/person.ts';
import { newUser } from '../support/seed.ts';
import { openServerWithMail, plain } from '../support/server-with-mail.ts';
import { newHost } from '../support/unverified-apps.ts';
import { setEnvironment } from '../support/work-on.ts';

const hour = 3600_000;
const day = 24 * hour;

const examples: AlertValues = {
  'app-failing': { apps: 'Payroll' },
  'admin-new-device': { admin: 'ada', device: 'Firefox on Linux', address: '192.0.2.7' },
  'wrong-passwords': { count: 120 },
  'backup-late': { hours: 24, folder: '/var/backups' },
  'disk-full': { what: 'data', free: 212, folder: '/var/lib/gatehouse' },
  'certificate-ends': { days: -1, name: 'id.example.org' },
  'still-waiting': { count: 2, hosts: 'app.example.org, other.example.org' },
  'weekly-digest': {
    worked: 1204,
    before: 998,
    failed: 3,
    people: 1,
    apps: 0,
    failing: 0,
    waiting: 2,
  },
  'ends-ahead': { names: 'ada, ada → Editors' },
  'unused-held': { count: 812, days: 90, most: 50 },
};
const kinds = Object.keys(examples) as (keyof AlertValues)[];

onEachDatabase(() => {
  const server = openServerWithMail();
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-backups-'));
    setEnvironment({ MAIL_URL: server.smtp.url, ISSUER: server.issuer, BACKUP_DIR: folder });
  });

  // Only a limited number of admins are told. So the admins of earlier tests lose the role, and
  // earlier alerts are forgotten.
  beforeEach(async () => {
    await write('UPDATE users SET is_admin = $1', [false]);
    await write("DELETE FROM leases WHERE name LIKE 'alert:%'", []);
  });

  const newAdmin = (locale = 'en') => newUser({ isAdmin: true, claims: { locale } });
  const mailsTo = ({ email }: { email: string }, subject: RegExp) =>
    server.smtp.to(email).filter((mail) => subject.test(mail.subject));
  /** Waits until all waiting mails have been sent, by the server or here. */
  const allSent = async () => {
    const sql = 'SELECT 1 AS one FROM outgoing_mails LIMIT 1';
    while ((await read(sql, [])).length > 0) await mails.work(new Date());
  };

  test.each(kinds)(
    'the alert %s is in the language of the admin, and links to its page',
    async (kind) => {
      const admin = await newAdmin();
      const german = await newAdmin('de');
      const user = await newUser();
      const alert = { kind, about: [unique('about')] as const, values: examples[kind] };
      await alertAdmins(alert as Parameters<typeof alertAdmins>[0], new Date());
      for (const [person, words] of [
        [admin, /because you’re an administrator/],
        [german, /weil Sie Administrator sind/],
      ] as const) {
        const { subject, text } = await server.smtp.next(person.email, /./);
        expect(plain(text)).toMatch(words);
        expect(subject + text).not.toMatch(/[{}]|undefined/);
        const [, page] = text.match(/\/\/[^/\s]+(\/admin[^\s#?]*)/) ?? [];
        expect(existsSync(`app${page}/page.tsx`), page).toBe(true);
        expect(text).toContain(`${server.issuer}/account/mail#notices`);
        // The value of `what` selects a sentence instead.
        for (const [name, value] of Object.entries(examples[kind]))
          if (typeof value === 'string' && name !== 'what') expect(plain(text)).toContain(value);
      }
      expect(server.smtp.to(user.email)).toEqual([]);
    },
  );

  test('the same alert is mailed once a day, from however many processes, and another one immediately', async () => {
    const admin = await newAdmin();
    const about = unique('folder');
    const tell = (now: Date, folder = about) =>
      alertAdmins({ kind: 'backup-late', about: [folder], values: { hours: 1, folder } }, now);
    // In the past, because a mail waits for its time.
    const now = new Date(Date.now() - day - 2 * hour);
    await Promise.all(Array.from({ length: 12 }, () => tell(now)));
    await tell(new Date(now.getTime() + day - hour));
    await tell(now, unique('other'));
    await allSent();
    expect(mailsTo(admin, /backup/)).toHaveLength(2);
    await tell(new Date(now.getTime() + day + hour));
    await allSent();
    expect(mailsTo(admin, /backup/)).toHaveLength(3);
  });

  test('the record of an alert is deleted in time', async () => {
    const [about, now] = [unique('folder'), new Date(Date.UTC(2020, 1, 1))];
    await alertAdmins(
      { kind: 'disk-full', about: [about], values: { what: 'backups', free: 1, folder: '' } },
      now,
    );
    const left = () =>
      read("SELECT name FROM leases WHERE name LIKE 'alert:%' AND expires_at < $1", [
        new Date(now.getTime() + 2 * day),
      ]);
    expect(await left()).toHaveLength(1);
    await deleteExpired(new Date());
    expect(await left()).toEqual([]);
  });

  test('an admin chooses the alerts, and a former admin gets none', async () => {
    const admin = await newAdmin();
    const former = await newAdmin();
    const other = await newAdmin();
    const choices = await noticeChoices({ id: admin.id, isAdmin: true });
    const names = choices.filter(({ isOfAdmin }) => isOfAdmin).map(({ notice }) => notice);
    expect(names).toEqual(['new-apps', ...kinds]);
    expect(await noticeChoices({ id: admin.id, isAdmin: false })).toHaveLength(2);
    const wanted = choices.map(({ notice }) => notice).filter((name) => name !== 'wrong-passwords');
    const by = { id: admin.id };
    await chooseNotices({ id: admin.id, isAdmin: true }, wanted, by, new Date());
    await setRole(former.id, 'none', actor, new Date());
    const values = { count: 99 };
    await alertAdmins({ kind: 'wrong-passwords', about: [unique('x')], values }, new Date());
    await server.smtp.next(other.email, /failed sign-ins/);
    await allSent();
    expect(mailsTo(admin, /failed sign-ins/)).toEqual([]);
    expect(server.smtp.to(former.email)).toEqual([]);
  });

  test('the alert about a failing app names it, and is mailed once', async () => {
    const admin = await newAdmin();
    const { client } = await newApp({ name: unique('Payroll') });
    const now = new Date();
    const rule = 'client-auth.wrong-secret';
    const refusal = { rule, code: null, reason: 'x', received: null, expected: [] } as const;
    const id = unique('attempt');
    recordTrace(
      {
        attempt: id,
        requestId: id,
        clientId: client.id,
        userId: null,
        behind: 'app',
        step: 'token',
        outcome: 'refused',
        refusal,
      },
      now,
    );
    await writeTraces();
    await watch(now);
    await watch(now);
    const { text } = await server.smtp.next(admin.email, /isn’t working/);
    expect(plain(text)).toContain(client.name);
    await allSent();
    expect(mailsTo(admin, /isn’t working/)).toHaveLength(1);
  });

  test('the alert about an app that waits for a day names its host, and is mailed once a day', async () => {
    const admin = await newAdmin();
    const user = await newUser();
    const [host, soon] = [newHost(), newHost()];
    const asked = new Date(Date.now() - day - 3 * hour);
    const ask = (from: string, at: Date) =>
      storeClientRequest(
        { id: `https://${from}/app`, origin: 'document', name: unique('Payroll'), host: from },
        user.id,
        { type: 'client.requested' },
        at,
      );
    await ask(host, asked);
    await ask(soon, new Date());
    const first = new Date(asked.getTime() + day);
    await watch(new Date(first.getTime() - hour));
    await Promise.all([watch(first), watch(first)]);
    await watch(new Date(first.getTime() + 2 * hour));
    const { subject, text } = await server.smtp.next(admin.email, /still waiting/);
    expect(plain(text)).toContain(`It comes from: ${host}.`);
    // The name that an app gives itself is not proved by anything.
    expect(subject + text).not.toMatch(/Payroll/);
    expect(text).not.toContain(soon);
    await allSent();
    expect(mailsTo(admin, /still waiting/)).toHaveLength(1);
    await refuseApp(`https://${host}/app`, actor, new Date());
    await watch(new Date());
    await allSent();
    expect(mailsTo(admin, /still waiting/)).toHaveLength(1);
    await write('DELETE FROM client_requests', []);
  });

  test('the alert about failed sign-ins is mailed if they are more than usual', async () => {
    const admin = await newAdmin();
    const now = new Date();
    const fail = async (times: number, at: Date) => {
      for (let index = 0; index < times; index += 1) count('sign-in-failed', null, at);
      await flushUsage();
    };
    // The same number in every two hours of the previous days makes this the usual rate.
    for (let ago = 2; ago < 72; ago += 2) await fail(40, new Date(now.getTime() - ago * hour));
    await fail(60, now);
    await watch(now);
    await write('DELETE FROM usage_counters', []);
    await fail(49, now);
    await watch(now);
    await allSent();
    expect(mailsTo(admin, /failed sign-ins/)).toEqual([]);
    await fail(1, now);
    await watch(now);
    const { text } = await server.smtp.next(admin.email, /failed sign-ins/);
    expect(plain(text)).toContain('50 sign-ins failed');
  });

  test('the alert about a late backup is mailed', async () => {
    const admin = await newAdmin();
    // The folder is empty, and the server has been running for longer than a first backup takes.
    const started = new Date(Date.now() - hour);
    await write('UPDATE operator_settings SET started_at = $1', [started]);
    await watch(new Date());
    const { text } = await server.smtp.next(admin.email, /backup .* is late/);
    expect(plain(text)).toContain(process.env.BACKUP_DIR);
  });

  test('the sign-in of an admin on a new device is mailed to the other admins and to the admin', async () => {
    const admin = await newAdmin();
    const other = await newAdmin();
    const user = await newUser();
    await new Person(server, user.username).signIn();
    await new Person(server, admin.username).signIn();
    const { text } = await server.smtp.next(other.email, /administrator signed in/);
    expect(plain(text)).toContain(admin.username);
    await server.smtp.next(admin.email, /New sign-in to your account/);
    await allSent();
    expect(mailsTo(other, /administrator signed in/)).toHaveLength(1);
    expect(mailsTo(admin, /administrator signed in/)).toEqual([]);
  });

  test('the weekly digest is mailed once a week, and not by a new server', async () => {
    const admin = await newAdmin();
    const now = new Date();
    const told = () => read("SELECT name FROM leases WHERE name LIKE 'alert:weekly-digest:%'", []);
    await write('UPDATE users SET created_at = $1', [now]);
    await tellOfTheWeek(now);
    expect(await told()).toEqual([]);
    await write('UPDATE users SET created_at = $1', [new Date(now.getTime() - 30 * day)]);
    await Promise.all([tellOfTheWeek(now), tellOfTheWeek(now), tellOfTheWeek(now)]);
    const { text } = await server.smtp.next(admin.email, /your week/);
    expect(plain(text)).toContain('the week before');
    await tellOfTheWeek(now);
    await allSent();
    expect(mailsTo(admin, /your week/)).toHaveLength(1);
    await tellOfTheWeek(new Date(now.getTime() + 7 * day));
    expect(await told()).toHaveLength(2);
  });
});
