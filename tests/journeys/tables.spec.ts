import type { Page } from '@playwright/test';
import { newId } from '#lib/oauth/secrets.ts';
import { write } from '#lib/store/engine/database.ts';
import { recordTrace, writeTraces } from '#lib/store/traces.ts';
import { axeFindings } from '../support/axe.ts';
import { test } from '../support/dashboard.ts';
import { expect } from '../support/journey.ts';
import { newClient, newUser } from '../support/seed.ts';

const rows = (page: Page) => page.getByRole('rowheader');
const panel = (page: Page) => page.locator('summary', { hasText: 'Filter' });
const bar = (page: Page) => page.getByRole('button', { name: 'Export CSV' });
const day = 24 * 3600_000;
const mark = () => `table${Date.now()}${Math.floor(Math.random() * 1000)}`;

/** Three people of one family: one never signed in, one long ago, one just now. */
async function family(): Promise<string> {
  const word = mark();
  const now = Date.now();
  for (const [name, last] of [
    ['Bea', null],
    ['Cyd', now - 100 * day],
    ['Abe', now],
  ] as const) {
    const { id } = await newUser({ name: `${name} ${word}` });
    await write('UPDATE users SET last_sign_in_at = $2, created_at = $3 WHERE id = $1', [
      id,
      last === null ? null : new Date(last),
      new Date(now - 200 * day),
    ]);
  }
  return word;
}

const names = async (page: Page, word: string) =>
  (await rows(page).allTextContents()).map((text) => text.split(word)[0]?.trim().slice(-3));

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('the list of people is sorted by its headings, filtered by a link, and exported', async ({
      page,
      admin: _,
    }) => {
      const word = await family();
      await page.goto(`/admin/people?q=${word}`);
      await page.getByRole('columnheader', { name: 'Person' }).getByRole('link').click();
      await expect(page).toHaveURL(/sort=name/);
      expect(await names(page, word)).toEqual(['Abe', 'Bea', 'Cyd']);
      await expect(page.getByRole('columnheader', { name: 'Person' })).toHaveAttribute(
        'aria-sort',
        'ascending',
      );
      await page.getByRole('columnheader', { name: 'Last sign-in' }).getByRole('link').click();
      await expect(page).toHaveURL(/sort=-signIn/);
      expect(await names(page, word)).toEqual(['Abe', 'Cyd', 'Bea']);

      await panel(page).click();
      await page
        .getByLabel('Last sign-in', { exact: true })
        .and(page.locator('select'))
        .selectOption('Not for 90 days');
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Apply' }).click();
      await expect(page).toHaveURL(/quiet=days90/);
      await expect(page).toHaveURL(/sort=-signIn/);
      expect(await names(page, word)).toEqual(['Cyd', 'Bea']);
      await expect(page.getByText('2 people', { exact: true })).toBeVisible();
      const csv = await page.request.get(
        (await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')) ?? '',
      );
      expect(csv.headers()['content-disposition']).toMatch(/^attachment; filename="people-/);
      const [head, ...lines] = (await csv.text()).trim().split('\r\n');
      expect(head).toMatch(/^id,username,name,email,.*,last_sign_in_at,disabled_at$/);
      expect(lines).toHaveLength(2);
      expect(lines.join()).toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/);
      await page.getByRole('link', { name: /^Last sign-in: Not for 90 days/ }).click();
      await expect(rows(page)).toHaveCount(3);
    });

    test('selected rows of the list of people are exported, and can be cleared', async ({
      page,
      admin: _,
    }) => {
      const word = await family();
      await page.goto(`/admin/people?q=${word}`);
      await expect(bar(page)).toBeHidden();
      await page.getByRole('checkbox', { name: `Select Abe ${word}` }).check();
      await page.getByRole('checkbox', { name: `Select Cyd ${word}` }).check();
      if (javaScriptEnabled) await expect(page.locator('output')).toHaveText('2 selected');
      const download = page.waitForEvent('download');
      await bar(page).click();
      const asked = new URL((await download).url()).searchParams;
      expect(asked.getAll('id')).toHaveLength(2);
      expect(asked.get('q')).toBe(word);
      await page.getByRole('button', { name: 'Clear selection' }).click();
      await expect(bar(page)).toBeHidden();
    });

    test('the list of attempts is filtered by day by a link', async ({ page, admin: _ }) => {
      const client = await newClient({ name: `App ${mark()}` });
      const then = new Date(Date.now() - 2 * day);
      const of = { clientId: client.id, userId: null, behind: 'app' } as const;
      const attempt = newId(then);
      const refusal = { code: 'invalid_request', rule: 'pkce.required', reason: 'No.' } as never;
      const step = { attempt, requestId: newId(then), step: 'authorize' } as const;
      recordTrace({ ...step, outcome: 'refused', ...of, refusal }, then);
      await writeTraces();
      await page.goto(`/admin/traces?client=${client.id}&result=failed`);
      await expect(rows(page)).toHaveCount(1);
      await panel(page).click();
      const days = page.locator('details[open] p a');
      await expect(days).toHaveCount(7);
      await days.nth(1).click();
      await expect(page.getByText('No attempts match')).toBeVisible();
      await panel(page).click();
      await days.nth(2).click();
      await expect(page).toHaveURL(/from=(\d{4}-\d\d-\d\d)&to=\1/);
      await expect(rows(page)).toHaveCount(1);
      await expect(rows(page).locator('xpath=..').locator('time')).toHaveAttribute('title', /UTC/);
    });
  });
}

test('all rows of a page are selected together, and counted', async ({ page, admin: _ }) => {
  const word = await family();
  await page.goto(`/admin/people?q=${word}`);
  const all = page.getByRole('checkbox', { name: 'Select all on this page' });
  await all.check();
  await expect(page.locator('output')).toHaveText('3 selected');
  await page.getByRole('checkbox', { name: `Select Abe ${word}` }).uncheck();
  await expect(page.locator('output')).toHaveText('2 selected');
  expect(await all.evaluate((box: HTMLInputElement) => box.indeterminate)).toBe(true);
});

test('a list is used by keyboard: its search, its rows, and the details of a row and back', async ({
  page,
  admin: _,
}) => {
  const word = await family();
  await page.goto(`/admin/people?q=${word}&sort=name`);
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(page.getByRole('searchbox', { name: 'Search people' })).toBeFocused();
  }).toPass();
  await page.getByRole('group', { name: 'People' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('link', { name: `Abe ${word}` })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('x');
  await expect(page.getByRole('checkbox', { name: `Select Bea ${word}` })).toBeChecked();

  await page.goto('/admin/audit');
  const details = page.getByRole('link', { name: 'Details' }).first();
  await details.focus();
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Event' });
  await expect(sheet.getByRole('heading', { name: 'Event' })).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await expect(details).toBeFocused();
});

test('the list of people on a phone shows a person as a card of three lines', async ({
  page,
  admin: _,
}) => {
  const { id, username } = await newUser({ name: 'Grace Hopper' });
  await write('UPDATE users SET username = $2, email = $3 WHERE id = $1', [
    id,
    'grace',
    'grace.hopper@example.org',
  ]);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/admin/people?q=${username}`);
  await expect(rows(page)).toHaveCount(1);
  expect((await page.locator('tbody tr').boundingBox())?.height).toBeLessThan(100);
});
