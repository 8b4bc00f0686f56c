import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { tellOfWaitingApps } from '#lib/mail/new-apps.ts';
import { approveApp } from '#lib/management/approval/new-apps.ts';
import { storeClientRequest } from '#lib/store/client-requests.ts';
import { write } from '#lib/store/engine/database.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newUser } from '../support/seed.ts';
import { openServerWithMail, plain } from '../support/server-with-mail.ts';
import { newHost } from '../support/unverified-apps.ts';
import { setEnvironment } from '../support/work-on.ts';

const cli = { id: 'cli' };
const event = { type: 'client.requested' } as const;

onEachDatabase(() => {
  const server = openServerWithMail();
  beforeAll(() => {
    setEnvironment({ MAIL_URL: server.smtp.url, ISSUER: server.issuer });
  });

  const wait = async (userId: string, now: Date, name = 'Weather') => {
    const host = newHost();
    const id = `https://${host}/${randomBytes(4).toString('hex')}`;
    await storeClientRequest({ id, origin: 'document', name, host }, userId, event, now);
    return { id, host };
  };
  /** Resets everything, as if no app had ever waited and no admin had been told. */
  const afresh = async () => {
    await write("DELETE FROM leases WHERE name = 'new-apps-mail'", []);
    await write('DELETE FROM client_requests', []);
  };

  test('admins are mailed about waiting apps once an hour, each in their language', async () => {
    await afresh();
    const admin = await newUser({ isAdmin: true });
    const german = await newUser({ isAdmin: true, claims: { locale: 'de' } });
    const user = await newUser();
    // In the past, because the server itself notifies about what is due now, and a mail waits for
    // its time.
    const first = new Date(Date.now() - 2 * 3600_000);
    const one = await wait(user.id, first, 'Gatehouse Security Team');
    await tellOfWaitingApps(first);
    const told = await server.smtp.next(admin.email, /Apps are waiting for your approval/);
    expect(plain(told.text)).toContain(`They come from: ${one.host}.`);
    expect(told.text).toContain(`${server.issuer}/admin/clients#waiting`);
    // The name that the app gives itself is not repeated in our mail.
    expect(told.text).not.toContain('Security Team');
    await server.smtp.next(german.email, /Apps warten/);

    const soon = new Date(first.getTime() + 60_000);
    const two = await wait(user.id, soon);
    await tellOfWaitingApps(soon);
    const late = new Date(first.getTime() + 3601_000);
    await Promise.all([tellOfWaitingApps(late), tellOfWaitingApps(late)]);
    const again = await server.smtp.next(admin.email, /Apps are waiting for your approval/);
    expect(plain(again.text)).toContain(two.host);
    expect(plain(again.text)).toContain(one.host);
    expect(server.smtp.to(admin.email)).toHaveLength(2);
    // No app has been added since, so no one is told again.
    await tellOfWaitingApps(new Date(first.getTime() + 3 * 3600_000));
    expect(server.smtp.to(admin.email)).toHaveLength(2);
    expect(server.smtp.to(user.email)).toHaveLength(0);
    await afresh();
  });

  test('the user who asked for an app is mailed once that it was approved', async () => {
    const user = await newUser();
    const german = await newUser({ claims: { locale: 'de' } });
    const app = await wait(user.id, new Date());
    const other = await wait(german.id, new Date());
    for (const { id } of [app, app, other]) await approveApp(id, cli, new Date());
    const told = await server.smtp.next(user.email, /can now be used/);
    expect(plain(told.text)).toContain(`approved the app at ${app.host}`);
    await server.smtp.next(german.email, /kann jetzt bei .* genutzt werden/);
    expect(server.smtp.to(user.email)).toHaveLength(1);
    await afresh();
  });
});
