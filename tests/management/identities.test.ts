import { expect, test } from 'vitest';
import { actingAs, type By, perform } from '#lib/management/act.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { identityActs } from '#lib/management/identity/acts.ts';
import { providerActs } from '#lib/management/provider/acts.ts';
import { write } from '#lib/store/engine/database.ts';
import { listIdentities } from '#lib/store/identities.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { giveIdentity, newProvider } from '../support/providers.ts';
import { faultsOf, newApp, newPerson } from './people.ts';
import { possess } from './possessions.ts';

const by = (): By => ({
  ...actingAs('admin', { id: 'cli' }),
  now: new Date(),
  demandFresh: () => {},
});

onEachDatabase(() => {
  test('a user’s linked identities are listed; unlinking one ends the user’s sessions and tokens', async () => {
    const { id } = await newPerson();
    const other = await newPerson();
    const { client } = await newApp();
    const name = `Guild ${id}`;
    const provider = await newProvider({ name });
    const subject = { issuer: 'https://idp.example.com', subject: id };
    await giveIdentity(id, provider, subject);
    const { identities } = await perform(identityActs.list, { user_id: id }, by());
    expect(identities).toMatchObject([{ ...subject, provider, provider_name: name, label: null }]);
    const { living } = await possess(id, client.id);
    const [first] = identities;
    const gone = { user_id: id, id: first?.id ?? '' };
    await faultsOf(perform(identityActs.unlink, { ...gone, user_id: other.id }, by()));
    expect(await listIdentities(id)).toHaveLength(1);
    expect(await perform(identityActs.unlink, gone, by())).toMatchObject({ unlinked: true });
    expect(await listIdentities(id)).toEqual([]);
    expect(await living()).toEqual([]);
    expect(Object.keys(await faultsOf(perform(identityActs.unlink, gone, by())))).toEqual(['id']);
    const { rows } = await listAudit({ userId: id, type: 'identity.unlinked' });
    expect(rows.map(({ detail }) => detail)).toMatchObject([{ provider: name, label: null }]);
  });

  test('an identity provider is shown with the number of users for whom it is the only way to sign in', async () => {
    const one = await newProvider();
    const two = await newProvider();
    const off = await newProvider({ enabled: false });
    const people = await Promise.all([newPerson(), newPerson(), newPerson(), newPerson()]);
    const [password, only, both, dead] = people.map(({ id }) => id) as [
      string,
      string,
      string,
      string,
    ];
    for (const id of [only, both, dead])
      await write('UPDATE users SET password_hash = NULL WHERE id = :id', { id });
    for (const id of [password, only, both, dead]) await giveIdentity(id, one);
    await giveIdentity(only, one);
    await giveIdentity(both, two);
    await giveIdentity(dead, off);
    expect(await perform(providerActs.show, { id: one }, by())).toMatchObject({
      people: 4,
      only_way_in: 2,
    });
    expect(await perform(providerActs.delete, { id: one }, by())).toMatchObject({
      people: 4,
      locked_out: 2,
    });
    expect(await perform(providerActs.show, { id: two }, by())).toMatchObject({ only_way_in: 1 });
  });
});
