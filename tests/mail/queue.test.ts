import { expect, test } from 'vitest';
import { read, write } from '#lib/store/engine/database.ts';
import { onDatabase } from '../support/on-each-database.ts';
import { Person } from '../support/person.ts';
import { newUser, type TestUser } from '../support/seed.ts';
import { openServerWithMail } from '../support/server-with-mail.ts';

onDatabase('sqlite', () => {
  const server = openServerWithMail();
  const hurry = () => write('UPDATE outgoing_mails SET next_at = $1', [new Date(0)]);

  async function ask(user: TestUser): Promise<void> {
    const person = new Person(server);
    await person.submit(await person.open('/recover'), '/recover/submit', {
      username: user.username,
    });
  }

  /** Waits until the queue contains this many attempts for each mail, in order. */
  const settled = (attempts: number[]) =>
    expect
      .poll(async () => (await idle()).map((mail) => Number(mail.attempts)), { timeout: 15_000 })
      .toEqual(attempts);
  /**
   * Mails that no process is working on. A working process holds a mail for three minutes, and the
   * pauses in this test are different.
   */
  async function idle() {
    const rows = await read('SELECT attempts, next_at FROM outgoing_mails ORDER BY id', []);
    const held = (next: unknown) => Math.abs(Number(next) - Date.now() - 180_000) < 60_000;
    return rows.filter((row) => !held(row.nextAt));
  }

  test('a queued mail waits encrypted while the mail server is busy, and is sent after a restart', async () => {
    const user = await newUser();
    server.smtp.mood('busy');
    await ask(user);
    await settled([1]);
    const [mail] = await read('SELECT sealed FROM outgoing_mails', []);
    expect(String(mail?.sealed)).not.toContain(user.username);
    server.smtp.mood('takes');
    // As if the pause were over, or the process had died while working.
    await hurry();
    await server.restart();
    const sent = await server.smtp.next(user.email);
    const person = new Person(server);
    const page = await person.open(server.pathOf(sent.link));
    const done = await person.submit(page, '/recover/reset/submit', {
      new_password: 'words after a restart',
    });
    expect(done.at).toBe('/account');
    await server.smtp.next(user.email, /was changed/);
    await settled([]);
  });

  test('a queued mail is dropped immediately if the mail server refuses its address for good', async () => {
    const user = await newUser();
    server.smtp.mood('refuses');
    const before = server.smtp.turnedAway;
    await ask(user);
    await server.smtp.until(() => server.smtp.turnedAway > before, 'A refusal');
    await settled([]);
    server.smtp.mood('takes');
    expect(server.smtp.to(user.email)).toEqual([]);
  });

  test('a queued mail is retried after longer and longer pauses, and not sent once it has expired', async () => {
    const user = await newUser();
    server.smtp.mood('busy');
    await ask(user);
    await settled([1]);
    const pause = async () => Number((await idle())[0]?.nextAt) - Date.now();
    expect(await pause()).toBeLessThanOrEqual(30_000);
    await write('UPDATE outgoing_mails SET attempts = 2, next_at = $1', [new Date(0)]);
    const other = await newUser();
    await ask(other);
    await settled([3, 1]);
    expect(await pause()).toBeGreaterThan(9 * 60_000);
    server.smtp.mood('takes');
    await write('UPDATE outgoing_mails SET expires_at = $1, next_at = $1', [new Date(0)]);
    const third = await newUser();
    await ask(third);
    await server.smtp.next(third.email);
    expect([...server.smtp.to(user.email), ...server.smtp.to(other.email)]).toEqual([]);
  });
});
