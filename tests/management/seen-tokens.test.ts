import { expect, test } from 'vitest';
import { createClient, updateClient } from '#lib/management/clients.ts';
import * as users from '#lib/management/users.ts';
import { digest, newSecret } from '#lib/oauth/secrets.ts';
import { findAccessToken } from '#lib/store/access-tokens.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { actor, newApp, newPerson, unique } from './people.ts';
import { possess } from './possessions.ts';

const now = () => new Date();

onEachDatabase(() => {
  test('a token that was seen before is the same object, until its person or client changes', async () => {
    const [user, { client }] = [await newPerson(), await newApp()];
    const { accessHash } = await possess(user.id, client.id);
    const seen = async () => (await findAccessToken(accessHash, now())).token;
    const first = await seen();
    expect(await seen()).toBe(first);
    await updateClient(client.id, { description: 'changed' }, actor, now());
    expect(await seen()).toEqual(first);
    expect(await seen()).not.toBe(first);
  });

  test('each change to a person shows at once, however fast one follows another', async () => {
    const [user, { client }] = [await newPerson(), await newApp()];
    const { accessHash } = await possess(user.id, client.id);
    const at = now();
    for (const name of ['Ada', 'Grace', 'Joan']) {
      await users.updateUser(user.id, { name }, actor, at);
      expect((await findAccessToken(accessHash, at)).token?.user?.name).toBe(name);
    }
    const email = `${unique('new')}@example.org`;
    await users.updateUser(user.id, { email }, actor, at);
    expect((await findAccessToken(accessHash, at)).token?.user?.email).toBe(email);
  });

  test('a token that was seen ends at its time', async () => {
    const [user, { client }] = [await newPerson(), await newApp()];
    const { accessHash } = await possess(user.id, client.id);
    const { token } = await findAccessToken(accessHash, now());
    expect((await findAccessToken(accessHash, token?.expiresAt ?? now())).token).toBeNull();
  });

  test('an unknown token is nobody’s, whatever the clients are called', async () => {
    await createClient({ id: 'null', name: 'Nothing' }, actor, now());
    expect((await findAccessToken(digest(newSecret('accessToken')), now())).token).toBeNull();
  });
});
