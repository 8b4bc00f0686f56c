import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { listClients } from '#lib/management/client/clients.ts';
import { createField } from '#lib/management/field/user-fields.ts';
import { newApi } from '../support/apis.ts';
import { test } from '../support/dashboard.ts';
import { newGroup } from '../support/groups.ts';
import { expect } from '../support/journey.ts';
import { newClient, newUser } from '../support/seed.ts';

/** Every page of the dashboard and of the account, with something to show where the address names it. */
async function pagesWithForms(): Promise<string[]> {
  const person = await newUser();
  const { name } = await createField(
    { name: 'pager', label: 'Pager', scope: 'phone' },
    { id: 'cli' },
    new Date(),
  );
  const named: Record<string, string> = {
    ...{ '[clientId]': (await newClient()).id, '[userId]': person.id, '[name]': 'profile' },
    ...{ '[groupId]': await newGroup(person), '[apiId]': (await newApi()).id, '[field]': name },
  };
  const routes = JSON.parse(readFileSync('.next/app-path-routes-manifest.json', 'utf8'));
  const pages = Object.entries(routes as Record<string, string>)
    .filter(([file, route]) => file.endsWith('/page') && /^\/(admin|account)\b/.test(route))
    .map(([, route]) => route.replace(/\[[^/]+\]/g, (part) => named[part] ?? 'example'));
  return [
    ...pages,
    ...['recipe=grafana', 'kind=web', 'kind=service'].map((of) => `/admin/clients/new?${of}`),
  ];
}

/** What Enter in the first line of text of each form presses, and what it should: the form's own button. */
function pressedByEnter(page: Page): Promise<{ form: string; pressed: string; own: string }[]> {
  return page.evaluate(() => {
    const pressed: { form: string; pressed: string; own: string }[] = [];
    for (const form of document.forms) {
      const field = form.querySelector(
        'input:is([type=text],[type=url],[type=email],:not([type]))',
      );
      const buttons = [...form.elements].filter(
        (one) => one instanceof HTMLButtonElement && one.type === 'submit',
      );
      if (!field || buttons.length === 0) continue;
      const own = buttons.filter((one) => !one.hasAttribute('formaction'));
      const of = (one: Element | undefined) => one?.textContent ?? 'nothing';
      pressed.push({ form: of(form).slice(0, 40), pressed: of(buttons[0]), own: of(own[0]) });
    }
    return pressed;
  });
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    for (const [query, field, text] of [
      ['recipe=grafana', 'Where does Grafana run?', 'https://grafana.example.org'],
      ['kind=service', 'Name', 'Nightly job'],
    ] as const)
      test(`Enter adds the app: ${query}`, async ({ page, admin }) => {
        await page.goto(`/admin/clients/new?${query}`);
        const name = `${text.replace(/\W+/g, ' ')} of ${admin.username}`;
        await page.getByLabel('Name', { exact: true }).fill(name);
        if (field !== 'Name') await page.getByLabel(field).fill(text);
        await page.getByLabel(field, { exact: true }).press('Enter');
        await expect(page.getByRole('heading', { name: `${name} is ready` })).toBeVisible();
        expect((await listClients({ search: name })).rows).toHaveLength(1);
      });

    test('what was typed goes along to the choice of another app', async ({ page, admin }) => {
      await page.goto('/admin/clients/new?recipe=grafana');
      const name = `Charts of ${admin.username}`;
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByRole('button', { name: /different app/ }).click();
      await page.getByRole('link', { name: /^Gitea/ }).click();
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue(name);
      expect((await listClients({ search: name })).rows).toEqual([]);
    });
  });
}

test('in no form of the dashboard or the account does Enter press a button that leads elsewhere', async ({
  page,
  admin,
}) => {
  test.setTimeout(180_000);
  const seen: string[] = [];
  for (const address of await pagesWithForms()) {
    await page.goto(address);
    for (const { form, pressed, own } of await pressedByEnter(page)) {
      seen.push(address);
      expect.soft(pressed, `${address}: ${form}, as ${admin.username}`).toBe(own);
    }
  }
  expect(new Set(seen).size).toBeGreaterThan(20);
});
