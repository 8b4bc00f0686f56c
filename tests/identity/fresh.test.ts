import { expect, test } from 'vitest';
import { askForEmailChange } from '#lib/identity/email-change.ts';
import { freshMinutes } from '#lib/identity/guards.ts';
import { write } from '#lib/store/database.ts';
import type { Session } from '#lib/store/sessions.ts';
import { onDatabase } from '../support/on-each-database.ts';
import { newUser } from '../support/seed.ts';

type Request = Parameters<typeof askForEmailChange>[3];

onDatabase('sqlite', () => {
  const now = new Date();
  const minutesAgo = (count: number) => new Date(now.getTime() - count * 60_000);

  /** Asks for another address as a user who has no password to prove themselves by. */
  async function ask(session: { authTime: Date; amr: string; hasFactor: boolean }) {
    const user = await newUser();
    await write('UPDATE users SET password_hash = NULL WHERE id = $1', [user.id]);
    const { authTime, amr, hasFactor } = session;
    return askForEmailChange(
      { authTime, amr, user: { id: user.id, hasFactor } } as unknown as Session,
      `new-${user.email}`,
      '',
      { id: 'r', address: null } as Request,
      'en',
      now,
    );
  }

  test('without a password, another address takes a fresh sign-in, with the second factor where there is one', async () => {
    const refused = { errors: { current_password: 'emailChange.signInAgain' } };
    const asked = { email: expect.any(String) };
    const fresh = minutesAgo(freshMinutes - 1);
    expect(await ask({ authTime: fresh, amr: 'mail', hasFactor: false })).toEqual(asked);
    expect(await ask({ authTime: fresh, amr: 'hwk user mfa', hasFactor: true })).toEqual(asked);
    expect(await ask({ authTime: fresh, amr: 'mail', hasFactor: true })).toEqual(refused);
    const stale = minutesAgo(freshMinutes + 1);
    expect(await ask({ authTime: stale, amr: 'mail', hasFactor: false })).toEqual(refused);
    expect(await ask({ authTime: stale, amr: 'hwk user mfa', hasFactor: true })).toEqual(refused);
  });
});
