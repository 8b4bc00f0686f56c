import { expect, test } from 'vitest';
import { addContact } from '#lib/management/client/contacts.ts';
import { removeLogo, setLogo } from '#lib/management/client/logos.ts';
import { newClient } from '#lib/oauth/client.ts';
import { readAppPage } from '#lib/store/app-page.ts';
import { listConnectedApps } from '#lib/store/connected-apps.ts';
import { clientsOfContact } from '#lib/store/contacts.ts';
import { write } from '#lib/store/engine/database.ts';
import { listUsableApps } from '#lib/store/usable-apps.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { png } from '../support/pictures.ts';
import { prisma } from '../support/prisma.ts';
import { newUser } from '../support/seed.ts';
import { actor, newApp } from './people.ts';

const now = () => new Date();
const homePage = 'https://grafana.example.org/';

onEachDatabase(() => {
  test('an app made from a recipe is shown with the recipe’s mark on every page until a logo is uploaded', async () => {
    const recipe = 'grafana?address=https%3A%2F%2Fgrafana.example.org';
    const { id } = (await newApp({ recipe, homePage })).client;
    const user = await newUser();
    await addContact(id, user.id, actor, now());
    await (await prisma()).grant.create({
      data: {
        id: `grant-${id}`,
        userId: user.id,
        clientId: id,
        scopes: 'openid',
        createdAt: now(),
        updatedAt: now(),
      },
    });
    const seen = async () => [
      (await readAppPage({ ...newClient, id, name: 'App' })).logo,
      (await listUsableApps(user.id, { search: '', limit: 500, order: [] })).rows.find(
        ({ clientId }) => clientId === id,
      )?.logo,
      (await listConnectedApps(user.id, now()))[0]?.logo,
      (await clientsOfContact(user.id))[0]?.picture,
    ];
    expect(await seen()).toEqual(Array(4).fill('/marks/grafana'));
    const { logo } = await setLogo(id, png(20, 20), actor, now());
    expect(await seen()).toEqual(Array(4).fill(`/logos/${id}/${logo}`));
    await removeLogo(id, actor, now());
    expect(await seen()).toEqual(Array(4).fill('/marks/grafana'));
  });

  test('an app that registered itself has no mark, even if its record names a recipe', async () => {
    const { id } = (await newApp({ recipe: 'grafana' })).client;
    await write("UPDATE clients SET origin = 'registration' WHERE id = $1", [id]);
    expect((await readAppPage({ ...newClient, id, name: 'Grafana' })).logo).toBeUndefined();
  });
});
