import { expect, test } from 'vitest';
import type { HttpRequest } from '#lib/http/message.ts';
import type { Arrival } from '#lib/identity/upstream/arrival.ts';
import { registerArrival } from '#lib/identity/upstream/new-account.ts';
import { groupsOf } from '#lib/store/group-list.ts';
import { changeProvider, findProvider, type NewProvider } from '#lib/store/providers.ts';
import { findUserByLogin } from '#lib/store/users.ts';
import { newName, newSub } from '../../support/at-provider.ts';
import { newGroup } from '../../support/groups.ts';
import { onEachDatabase } from '../../support/on-each-database.ts';
import { newProvider } from '../../support/providers.ts';

const request = { id: 'r', address: '198.51.100.1' } as HttpRequest;

onEachDatabase(() => {
  /**
   * A new person from a provider that puts them into a group, and the result of the form that they
   * were shown.
   */
  async function arrive() {
    const group = await newGroup();
    const id = await newProvider({
      mayRegister: true,
      domains: ['example.com'],
      groupsClaim: 'roles',
      groups: [{ value: 'staff', groupId: group }],
    });
    const username = newName();
    const arrival: Arrival = {
      id: newSub(),
      kind: 'new',
      providerId: id,
      issuer: 'https://idp.example.com',
      subject: newSub(),
      label: null,
      email: `${username}@example.com`,
      name: 'Ada',
      username,
      groupIds: [group],
      ownerId: null,
      flowId: undefined,
      sid: null,
      provedAt: null,
      cameAt: new Date(),
    };
    const register = () => registerArrival(arrival, { username, name: '' }, request, new Date());
    const change = async (changes: Partial<NewProvider>) => {
      const provider = await findProvider(id);
      if (!provider) throw new Error('It was stored a moment ago.');
      const event = { type: 'provider.updated' } as const;
      const later = new Date(arrival.cameAt.getTime() + 1);
      await changeProvider(provider, { ...provider, ...changes }, event, later);
    };
    return { username, group, register, change };
  }

  test('a new user of a provider gets an account, in the groups of the provider', async () => {
    const { username, group, register } = await arrive();
    const made = await register();
    const user = await findUserByLogin(username);
    expect(made).toEqual({ id: user?.id });
    expect((await groupsOf(user?.id ?? '')).map(({ id }) => id)).toEqual([group]);
  });

  test.each<[string, Partial<NewProvider>]>([
    ['is for other domains', { domains: ['example.org'] }],
    ['gives that group no longer', { groups: [] }],
    ['registers nobody', { mayRegister: false }],
    ['is off', { enabled: false }],
  ])('a new user gets no account if the provider %s in the meantime', async (_, changes) => {
    const { username, register, change } = await arrive();
    await change(changes);
    expect(await register()).toBe('dead');
    expect(await findUserByLogin(username)).toBeNull();
  });
});
