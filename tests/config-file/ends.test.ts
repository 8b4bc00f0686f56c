import { expect, test } from 'vitest';
import { exportFile } from '#lib/config-file/export.ts';
import { showAccess } from '#lib/management/client/access.ts';
import { newPerson, unique } from '../management/people.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { apply, faultsOf, planFor } from './files.ts';

const inAYear = (more: number) =>
  new Date(Math.ceil((Date.now() + 365 * 24 * 3600_000) / 1000) * 1000 + more);

onEachDatabase(() => {
  test('the file says until when people are on the list of an app, and the export says so again', async () => {
    const [ann, bob] = await Promise.all([newPerson(), newPerson()]);
    const id = unique('wiki');
    const fileWith = (ends: Record<string, string>) =>
      `apps: ${JSON.stringify({ [id]: { name: id, type: 'public', redirect_uris: ['https://wiki.example/cb'], allowed_users: [ann.username, bob.username], allowed_user_ends: ends } })}`;
    const endsNow = async () => {
      const { people } = await showAccess(id);
      return Object.fromEntries(people.map(({ username, endsAt }) => [username, endsAt]));
    };
    const end = inAYear(0);
    await apply(fileWith({ [ann.username]: end.toISOString() }));
    expect(await endsNow()).toEqual({ [ann.username]: end, [bob.username]: null });
    expect((await exportFile({ withHashes: false })).text).toContain(
      `${ann.username}: ${end.toISOString()}`,
    );
    expect((await planFor(fileWith({ [ann.username]: end.toISOString() }))).changes).toEqual([]);

    const later = inAYear(5000);
    const { plan } = await apply(fileWith({ [bob.username]: later.toISOString() }));
    expect(JSON.stringify(plan)).toContain(`allowed_user_ends: ${ann.username}`);
    expect(await endsNow()).toEqual({ [ann.username]: null, [bob.username]: later });

    // A time that is over takes them off, and does not stop a start.
    await apply(fileWith({ [bob.username]: '2026-01-31' }));
    expect(await endsNow()).toEqual({ [ann.username]: null });
    const [fault] = await faultsOf(fileWith({ nobody: end.toISOString() }));
    expect(fault).toContain('is not one of allowed_users');
  });
});
