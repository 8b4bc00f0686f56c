import type { Page } from '@playwright/test';
import { createGroup } from '#lib/management/group/groups.ts';
import { addMembers } from '#lib/management/group/members.ts';
import { userWithId } from '#lib/management/user/users.ts';
import { newId } from '#lib/oauth/secrets.ts';
import { allow } from '#lib/store/access.ts';
import { recordTrace, writeTraces } from '#lib/store/traces.ts';
import { byKeyboard, byMouse, type Hand } from '../support/hands.ts';
import { authorizeUrl, openSignedIn, signIn } from '../support/journey.ts';
import { expect, test } from '../support/mail-journey.ts';
import { newClient, newUser, oldUser } from '../support/seed.ts';

const day = 24 * 3600_000;
/** A link of the navigation; there may be a badge after its name. */
const section = (page: Page, name: string) =>
  page
    .getByRole('navigation')
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .filter({ visible: true })
    .first();
const finished = (page: Page) =>
  expect(page.getByText('Finished.')).toBeVisible({ timeout: 30_000 });

async function asAdmin(page: Page): Promise<void> {
  await page.context().clearCookies();
  await signIn(page, (await newUser({ isAdmin: true })).username);
}

/** A task of an admin, starting from Home, and the maximum number of clicks that it may take. */
type Errand = { most: number; run: (page: Page, hand: Hand) => Promise<void> };

const errands: Record<string, Errand> = {
  'twenty people are invited': {
    most: 6,
    run: async (page, hand) => {
      await asAdmin(page);
      const word = `guest${Date.now()}`;
      const addresses = Array.from({ length: 20 }, (_, index) => `${word}-${index}@example.org`);
      await page.goto('/admin');
      await hand.press(section(page, 'People'));
      await hand.press(page.getByRole('link', { name: 'Import' }));
      const field = page.getByRole('textbox', { name: 'Paste email addresses' });
      await hand.type(field, addresses.join('\n'));
      await hand.press(page.getByRole('button', { name: 'Continue' }).first());
      await hand.press(page.getByRole('button', { name: 'Invite 20 people' }));
      await finished(page);
      await page.goto('/admin/people/invite');
      for (const email of addresses) await expect(page.getByText(email).first()).toBeVisible();
    },
  },
  'who has not signed in for 90 days is disabled': {
    most: 5,
    run: async (page, hand) => {
      const quiet = [await oldUser(91), await oldUser(null), await oldUser(89)];
      await asAdmin(page);
      await page.goto('/admin');
      await hand.press(section(page, 'People'));
      await hand.press(page.getByRole('link', { name: 'Not signed in for 90 days' }));
      const all = /^(Select all on this page|All [\d,]+ that match)$/;
      await hand.press(page.getByRole('checkbox', { name: all }).filter({ visible: true }));
      await hand.press(page.getByRole('button', { name: 'Disable', exact: true }));
      await hand.press(page.getByRole('button', { name: /^Disable \d+ (people|person)$/ }));
      await finished(page);
      const isDisabled = async ({ id }: { id: string }) =>
        (await userWithId(id)).disabledAt !== null;
      expect(await Promise.all(quiet.map(isDisabled))).toEqual([true, true, false]);
    },
  },
  'it is seen why Bob cannot sign in': {
    most: 2,
    run: async (page, hand) => {
      const bob = await newUser({ name: 'Bob' });
      const redirectUris = ['https://app.example/cb'];
      const client = await newClient({ name: 'Bookkeeping', access: 'listed', redirectUris });
      await openSignedIn(page, authorizeUrl(client.id), bob.username);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('You can’t use Bookkeeping');
      await asAdmin(page);
      await page.goto('/admin');
      await hand.type(page.locator('#anywhere'), bob.username, 'Enter');
      await hand.press(page.getByRole('main').getByRole('link', { name: 'Bob' }).first());
      await hand.press(page.getByRole('link', { name: 'Their sign-in attempts' }));
      const attempt = page.getByRole('row').filter({ hasText: 'Bookkeeping' });
      await expect(attempt).toContainText('This person may not use the app');
    },
  },
  'last Tuesday’s failures of an app are found': {
    most: 4,
    run: async (page, hand) => {
      const client = await newClient();
      await refusedAt(client.id, new Date(Date.now() - 2 * day));
      await asAdmin(page);
      await page.goto('/admin');
      const filters = page.locator('summary', { hasText: 'Filter' });
      await hand.press(section(page, 'Sign-in attempts'));
      await hand.press(filters);
      await hand.type(page.locator('details[open]').getByLabel('App'), client.id, 'Enter');
      await expect(page).toHaveURL(/client=/);
      await hand.press(filters);
      await hand.press(page.locator('details[open] p a').nth(2));
      await expect(page).toHaveURL(/from=(\d{4}-\d\d-\d\d)&to=\1/);
      await expect(page.getByRole('rowheader')).toHaveCount(1);
    },
  },
  'who may use Bookkeeping is seen': {
    most: 2,
    run: async (page, hand) => {
      const [cli, now, name] = [{ id: 'cli' }, new Date(), `Bookkeeping ${Date.now()}`];
      const members = [await newUser(), await newUser()];
      const other = await newUser();
      const { id: app } = await newClient({ name, access: 'listed' });
      const group = await createGroup({ name: `board-${newId(now)}` }, cli, now);
      await addMembers(
        group.id,
        members.map(({ id }) => id),
        cli,
        now,
      );
      await allow(app, { groups: [group.id], people: [] }, [], now);
      await asAdmin(page);
      await page.goto('/admin');
      await hand.press(section(page, 'Apps'));
      const row = page.getByRole('row').filter({ hasText: name });
      await hand.press(row.getByRole('link', { name: '0 people' }));
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Who may use ${name}`);
      const rows = page.getByRole('rowheader');
      await expect(rows).toHaveCount(2);
      await expect(rows.filter({ hasText: other.username })).toHaveCount(0);
    },
  },
};

async function refusedAt(clientId: string, at: Date): Promise<void> {
  const refusal = { code: 'invalid_request', rule: 'pkce.required', reason: 'No.' } as never;
  const request = { attempt: newId(at), requestId: newId(at), step: 'authorize' } as const;
  const whose = { clientId, userId: null, behind: 'app' } as const;
  recordTrace({ ...request, ...whose, outcome: 'refused', refusal }, at);
  await writeTraces();
}

for (const [name, { most, run }] of Object.entries(errands)) {
  test.describe('without scripts', () => {
    test.use({ javaScriptEnabled: false });
    test(`${name} with ${most} clicks from Home`, async ({ page }) => {
      const hand = byMouse(page);
      await run(page, hand);
      expect(hand.pressed()).toBeLessThanOrEqual(most);
    });
  });
  test(`${name} with ${most} presses from Home, by keyboard alone`, async ({ page }) => {
    const hand = byKeyboard(page);
    await run(page, hand);
    expect(hand.pressed()).toBeLessThanOrEqual(most);
  });
}
