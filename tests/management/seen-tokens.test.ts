import { expect, test } from 'vitest';
import { findAccessToken } from '#lib/identity/tokens.ts';
import { createClient, updateClient } from '#lib/management/client/clients.ts';
import { updateUser } from '#lib/management/user/user-profile.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { remade } from '../support/tokens.ts';
import { actor, newApp, newPerson, unique } from './people.ts';
import { possess } from './possessions.ts';

const now = () => new Date();

onEachDatabase(() => {
  test('a cached access token is the same object until its client changes', async () => {
    const user = await newPerson();
    const { client } = await newApp();
    const { accessToken } = await possess(user.id, client.id);
    const seen = async () => (await findAccessToken(accessToken, now())).token;
    const first = await seen();
    expect(await seen()).toBe(first);
    await updateClient(client.id, { description: 'changed' }, { actor, now: now() });
    const changed = { ...first?.client, description: 'changed' };
    expect(await seen()).toEqual({ ...first, client: changed });
    expect(await seen()).not.toBe(first);
  });

  test('each change of a user shows immediately at a cached access token, also within one millisecond', async () => {
    const user = await newPerson();
    const { client } = await newApp();
    const { accessToken } = await possess(user.id, client.id);
    const at = now();
    for (const name of ['Ada', 'Grace', 'Joan']) {
      await updateUser(user.id, { name }, actor, at);
      expect((await findAccessToken(accessToken, at)).token?.user?.name).toBe(name);
    }
    const email = `${unique('new')}@example.org`;
    await updateUser(user.id, { email }, actor, at);
    expect((await findAccessToken(accessToken, at)).token?.user?.email).toBe(email);
  });

  test('a cached access token expires at its time', async () => {
    const user = await newPerson();
    const { client } = await newApp();
    const { accessToken } = await possess(user.id, client.id);
    const { token } = await findAccessToken(accessToken, now());
    expect((await findAccessToken(accessToken, token?.expiresAt ?? now())).token).toBeNull();
  });

  test('an unknown access token is not found, even if a client has the id null', async () => {
    await createClient({ id: 'null', name: 'Nothing' }, actor, now());
    const user = await newPerson();
    const { client } = await newApp();
    const { accessToken } = await possess(user.id, client.id);
    const unknown = await remade(accessToken, { id: newId(now()) });
    expect((await findAccessToken(unknown, now())).token).toBeNull();
  });
});
