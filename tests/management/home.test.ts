import { expect, test } from 'vitest';
import { readHome } from '#lib/management/home.ts';
import { disableUser } from '#lib/management/user/users.ts';
import { widenGrantOf } from '#lib/store/grants.ts';
import { flushUsage, touchLastUse } from '#lib/store/usage.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, newApp, newPerson } from './people.ts';

const requestTo = (host: string) => ({
  header: (name: string) => (name === 'host' ? host : undefined),
});
const home = (host = 'localhost:3000') =>
  readHome(requestTo(host), { hasFactor: false }, new Date());

onEachDatabase(() => {
  test('the steps of the set-up on the home page are measured, and go back when they no longer hold', async () => {
    const progress = async () => {
      const { hasApp, hasSignIn, hasSecondAdmin } = await home();
      return [hasApp, hasSignIn, hasSecondAdmin];
    };
    const first = await newPerson({ admin: true });
    expect(await progress()).toEqual([false, false, false]);
    const { client } = await newApp();
    expect(await progress()).toEqual([true, false, false]);

    const now = new Date();
    const given = { scopes: ['openid'], remembered: [] };
    const grant = await widenGrantOf({ userId: first.id, clientId: client.id }, null, given, now);
    expect(await progress()).toEqual([true, false, false]);
    touchLastUse('grants', grant, now);
    await flushUsage();
    expect(await progress()).toEqual([true, true, false]);

    const second = await newPerson({ admin: true });
    expect(await progress()).toEqual([true, true, true]);
    await disableUser(second.id, actor, new Date());
    expect(await progress()).toEqual([true, true, false]);
  });
});
