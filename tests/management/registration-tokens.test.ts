import { expect, test } from 'vitest';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import {
  createRegistrationToken,
  listRegistrationTokens,
  removeRegistrationToken,
} from '#lib/management/registration-token/registration-tokens.ts';
import { digest } from '#lib/oauth/secrets.ts';
import { deleteExpired } from '#lib/store/cleaning.ts';
import { isRegistrationToken, mostRegistrationTokens } from '#lib/store/registration-tokens.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, faultsOf, unique } from './people.ts';

const day = 86_400_000;
const now = new Date();
const later = (days: number) => new Date(now.getTime() + days * day);
const create = (name: string, life = '7 days', at = now) =>
  createRegistrationToken({ name, life }, actor, at);

onEachDatabase(() => {
  test('a registration token works until it expires, and is kept as a digest', async () => {
    const name = unique('token');
    const made = await create(`  ${name} `, '2 days');
    expect(made).toMatchObject({ name, expiresAt: later(2), lastUsedAt: null });
    expect(made.token).toMatch(/^gh_ia_[\w-]{43}$/);
    expect(await isRegistrationToken(digest(made.token), later(1.9))).toBe(true);
    expect(await isRegistrationToken(digest(made.token), later(2))).toBe(false);
    const listed = (await listRegistrationTokens()).find(({ id }) => id === made.id);
    const { token, ...known } = made;
    expect(listed).toEqual(known);
    expect(JSON.stringify(listed)).not.toContain(token);
  });

  test('a registration token that was removed no longer works, and its events do not contain it', async () => {
    const { id, name, token } = await create(unique('token'));
    expect(await removeRegistrationToken(id, actor, now)).toMatchObject({ id, name });
    expect(await isRegistrationToken(digest(token), now)).toBe(false);
    expect((await listRegistrationTokens()).map((each) => each.id)).not.toContain(id);
    expect(await faultsOf(removeRegistrationToken(id, actor, now))).toEqual({
      'registration-token': `There is no registration token "${id}".`,
    });
    const { rows } = await listAudit({ type: 'registration-token' });
    const events = rows.filter(({ detail }) => detail.id === id);
    expect(events.map(({ type, actor: by, detail }) => [type, by, detail.name])).toEqual([
      ['registration-token.removed', 'cli', name],
      ['registration-token.created', 'cli', name],
    ]);
    expect(JSON.stringify(events)).not.toContain(token);
  });

  test.each([
    ['', '7 days', 'name'],
    ['x'.repeat(61), '7 days', 'name'],
    ['two\nlines', '7 days', 'name'],
    ['name', '', 'life'],
    ['name', 'soon', 'life'],
    ['name', '59 seconds', 'life'],
    ['name', '366 days', 'life'],
  ])('a registration token named %j for %j is refused for its %s', async (name, life, field) => {
    expect(Object.keys(await faultsOf(create(name, life)))).toEqual([field]);
  });

  test('registration tokens that expired a month ago are deleted, others are kept', async () => {
    const old = await create('old', '1 day');
    const young = await create('young', '3 days');
    await deleteExpired(later(32));
    const kept = (await listRegistrationTokens()).map(({ id }) => id);
    expect([kept.includes(old.id), kept.includes(young.id)]).toEqual([false, true]);
  });

  test('the number of registration tokens is limited', async () => {
    const made: string[] = [];
    const held = (await listRegistrationTokens()).length;
    for (let count = held; count < mostRegistrationTokens; count += 1)
      made.push((await create('one of many')).id);
    const refused = await faultsOf(create('one too many'));
    for (const id of made) await removeRegistrationToken(id, actor, now);
    expect(refused).toEqual({ '': expect.stringContaining(`${mostRegistrationTokens}`) });
  });
});
