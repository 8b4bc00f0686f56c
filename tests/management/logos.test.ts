import { expect, test } from 'vitest';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import { deleteClient, showClient, updateClient } from '#lib/management/client/clients.ts';
import { removeLogo, setLogo } from '#lib/management/client/logos.ts';
import { newClient } from '#lib/oauth/client.ts';
import { readAppPage } from '#lib/store/app-page.ts';
import { findLogo } from '#lib/store/logos.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { png } from '../support/pictures.ts';
import { actor, faultsOf, newApp } from './people.ts';

const now = () => new Date();

onEachDatabase(() => {
  test('an app’s logo is stored, shown under an address of its own, replaced and removed', async () => {
    const { id } = (await newApp()).client;
    const first = (await setLogo(id, png(20, 20), actor, now())).logo ?? '';
    expect(await findLogo(id, first)).toMatchObject({ type: 'image/webp' });
    expect((await readAppPage({ ...newClient, id, name: 'App' })).logo).toBe(
      `/logos/${id}/${first}`,
    );

    const second = (await setLogo(id, png(30, 30), actor, now())).logo ?? '';
    expect(second).not.toBe(first);
    expect(await findLogo(id, first)).toBeNull();
    expect((await removeLogo(id, actor, now())).logo).toBeNull();
    expect(await findLogo(id, second)).toBeNull();
    const details = (await listAudit({ clientId: id, type: 'client.updated' })).rows.map(
      (row) => row.detail.logo,
    );
    expect(details).toEqual([
      null,
      expect.objectContaining({ width: 30 }),
      expect.objectContaining({ width: 20 }),
    ]);
  });

  test('a change of a client keeps its logo, and a new logo does not make an open edit of the client a conflict', async () => {
    const { id } = (await newApp()).client;
    const { updatedAt } = await showClient(id);
    const { logo } = await setLogo(id, png(20, 20), actor, now());
    expect(
      (await updateClient(id, { name: 'Renamed' }, { actor, now: now(), seen: updatedAt })).client
        .logo,
    ).toBe(logo);
  });

  test('an app’s logo that is not a picture is refused at its field, and a logo is deleted with its client', async () => {
    const { id } = (await newApp()).client;
    expect(await faultsOf(setLogo(id, Buffer.from('<svg/>'), actor, now()))).toEqual({
      logo: expect.stringContaining('PNG'),
    });
    expect(await faultsOf(setLogo('nobody', png(9, 9), actor, now()))).toHaveProperty('client');
    const { logo } = await setLogo(id, png(20, 20), actor, now());
    await deleteClient(id, actor, now());
    expect(await findLogo(id, logo ?? '')).toBeNull();
  });
});
