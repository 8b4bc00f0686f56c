import type { Locator, Page } from '@playwright/test';
import { newId } from '#lib/oauth/secrets.ts';
import { write } from '#lib/store/engine/database.ts';
import { test } from '../support/dashboard.ts';
import { expect } from '../support/journey.ts';
import { newClient, newUser } from '../support/seed.ts';

/** The texts in a table that reach beyond the padding of their row. */
const sticksOut = (page: Page) =>
  page.locator('table [role=row]').evaluateAll((rows) =>
    rows.flatMap((row) => {
      const room =
        row.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(row).paddingRight);
      return [...row.querySelectorAll('[role=cell] *')]
        .filter((part) => part.getBoundingClientRect().right > room + 0.5)
        .map((part) => part.textContent);
    }),
  );

test('lists on a phone: no value leaves its card, and an email address breaks before its @', async ({
  page,
  admin,
}) => {
  const email = `somebody.with.a.long.name@${admin.username.replaceAll(/\W|_/g, '')}.example.org`;
  const person = await newUser();
  await write('UPDATE users SET email = $2 WHERE id = $1', [person.id, email]);
  const client = await newClient({ scopes: ['openid', 'profile', 'email', 'address', 'phone'] });
  const scopes = 'openid profile email address phone';
  await write(
    'INSERT INTO grants (id, user_id, client_id, scopes, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)',
    [newId(new Date()), person.id, client.id, scopes, new Date()],
  );
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/admin/people/${person.id}`);
  await expect(page.getByRole('row').filter({ hasText: 'openid' }).first()).toBeVisible();
  expect(await sticksOut(page)).toEqual([]);
  await page.goto(`/admin/people?q=${encodeURIComponent(person.username)}`);
  const address = page.getByRole('row').filter({ hasText: '@' }).locator('bdi', { hasText: '@' });
  await expect(address).toContainText(email);
  const broken = await address.evaluate((element) => {
    const [, , domain] = element.childNodes;
    const range = document.createRange();
    range.setStart(domain as Node, 0);
    range.setEnd(domain as Node, 1);
    return range.getBoundingClientRect().top > (element.getClientRects()[0]?.top ?? 0) + 4;
  });
  expect(broken).toBe(true);
  expect(await sticksOut(page)).toEqual([]);
});

test('lists on a wide screen: search, filters and buttons share a line, and rows are lower than 42 pixels', async ({
  page,
  admin: _,
}) => {
  const client = await newClient();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/admin/clients?state=enabled&q=${client.id}`);
  const middleOf = async (part: Locator) => {
    const box = await part.boundingBox();
    return Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2);
  };
  const field = await middleOf(page.getByRole('searchbox', { name: 'Search apps' }));
  for (const part of [
    page.locator('summary', { hasText: 'Filter' }),
    page.getByRole('link', { name: 'Status: Enabled – remove this filter' }),
    page.getByRole('link', { name: 'Add an app' }),
  ])
    expect(Math.abs((await middleOf(part)) - field)).toBeLessThan(3);
  expect((await page.locator('tbody tr').first().boundingBox())?.height).toBeLessThan(42);
});

test('the list of attempts on a wide screen keeps the name of an app on one line', async ({
  page,
  admin: _,
  request,
}) => {
  const client = await newClient({ name: 'Cookbook', redirectUris: ['https://app.example/cb'] });
  const wrong = { client_id: client.id, response_type: 'code', redirect_uri: 'https://b.example/' };
  await request.get('/oauth/authorize', { params: wrong, maxRedirects: 0 });
  await page.setViewportSize({ width: 1440, height: 900 });
  const name = page.getByRole('cell', { name: 'Cookbook' }).first().locator('bdi');
  await expect(async () => {
    await page.goto(`/admin/traces?client=${client.id}`);
    await expect(name).toBeVisible();
  }).toPass();
  expect(await name.evaluate((element) => element.getClientRects().length)).toBe(1);
});

test('a list that is too long to page says where it ends, and continues from that day', async ({
  page,
  admin: _,
}) => {
  const person = await newUser();
  const day = 24 * 3600_000;
  const noon = Math.floor(Date.now() / day) * day - 30.5 * day;
  /** Adds this many events of this person at the same time. */
  const add = (prefix: string, count: number, at: number) =>
    write(
      `WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count})
       INSERT INTO audit_events (id, at, type, user_id, detail)
       SELECT CAST($1 AS TEXT) || n, CAST($2 AS TIMESTAMPTZ), 'session.created', CAST($3 AS TEXT), '{}' FROM counted`,
      [`${newId(new Date())}${prefix}`, new Date(at), person.id],
    );
  await add('a', 9_990, noon);
  await add('b', 60, noon - 2 * day);
  try {
    const list = `/admin/audit?person=${encodeURIComponent(person.username)}`;
    await page.goto(`${list}&page=199`);
    await expect(page.getByText('The list ends here')).toHaveCount(0);
    await page.goto(`${list}&page=200`);
    await expect(page.getByText('The list ends here')).toBeVisible();
    await page.getByRole('link', { name: 'Go on from this day' }).click();
    const to = new Date(noon - 2 * day).toISOString().slice(0, 10);
    await expect(page).toHaveURL(new RegExp(`to=${to}$`));
    await expect(page.locator('.gh-pages')).toContainText('1–50 of 60 events');
    await page.getByRole('link', { name: 'Next page' }).click();
    await expect(page.locator('.gh-pages')).toContainText('51–60 of 60 events');
    await expect(page.getByText('The list ends here')).toHaveCount(0);
  } finally {
    await write('DELETE FROM audit_events WHERE user_id = $1', [person.id]);
  }
});

test('apps and attempts are exported as filtered', async ({ page, admin: _ }) => {
  const shown = await newClient();
  const other = await newClient();
  await page.goto(`/admin/clients?q=${shown.id}`);
  const address = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
  const apps = await (await page.request.get(address ?? '')).text();
  expect(apps.split('\r\n')[0]).toBe(
    'client_id,name,origin,type,first_party,people,refused_in_24_hours,refused_in_7_days,last_rule,created_at,last_used_at,disabled_at',
  );
  expect(apps).toContain(shown.id);
  expect(apps).not.toContain(other.id);

  for (const { id } of [shown, other])
    await page.request.get(
      `/oauth/authorize?client_id=${id}&response_type=code&redirect_uri=https%3A%2F%2Fwrong.example`,
    );
  await page.goto(`/admin/traces?client=${shown.id}&result=failed`);
  await expect(page.getByRole('row')).toHaveCount(2);
  const wanted = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
  const attempts = (await (await page.request.get(wanted ?? '')).text()).trim().split('\r\n');
  expect(attempts).toHaveLength(2);
  expect(attempts[1]).toContain(`,${shown.id},`);
  expect(attempts[1]).toContain('redirect-uri');
  const nobody = await page.request.get('/admin/traces/export?person=nobody-at-all');
  expect((await nobody.text()).trim().split('\r\n')).toHaveLength(1);
});
