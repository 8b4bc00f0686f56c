import { actingAs, perform } from '#lib/management/act.ts';
import { batchActs } from '#lib/management/batch/acts.ts';
import { addContact } from '#lib/management/client/contacts.ts';
import { approve } from '../support/grants.ts';
import { expect, signIn, test } from '../support/journey.ts';
import { newClient, newUser } from '../support/seed.ts';
import { mostOfLists, weigh } from '../support/weight.ts';

/**
 * The maximum size of a dashboard page, except for lists and for forms that show nothing while they
 * are filled in.
 */
const most = 120_000;
/** The picture of all marks, which a browser keeps for every page that lists programs. */
const mostWithMarks = 125_000;

const tabs = ['activity', 'access', 'settings', 'preview', 'try'];

test('dashboard forms without live checks weigh less than 80 kB', async ({ page, browser }) => {
  await signIn(page, (await newUser({ isAdmin: true })).username);
  await page.goto('/account');
  for (const form of [
    'groups/new',
    'apis/new',
    'fields/new',
    'people/import',
    'settings/sign-in',
  ]) {
    const { bytes, files, page: opened } = await weigh(browser, page, `/admin/${form}`);
    test.info().annotations.push({ type: 'bytes', description: `/admin/${form} ${bytes}` });
    expect.soft(bytes, `${form}: ${files}`).toBeLessThan(mostOfLists);
    await opened.context().close();
  }
});

test('the other dashboard and developer pages weigh less than 120 kB (125 with all marks), without React', async ({
  page,
  browser,
}) => {
  // About thirty pages, each in a new browser.
  test.setTimeout(180_000);
  const admin = await newUser({ isAdmin: true });
  const { id } = await newClient({ redirectUris: ['https://app.example/cb'] });
  await addContact(id, admin.username, { id: admin.id }, new Date());
  await signIn(page, admin.username);
  await page.goto('/account');
  const app = `/admin/clients/${id}`;
  const by = { ...actingAs('admin', { id: admin.id }), now: new Date(), demandFresh: () => {} };
  const batch = await perform(batchActs.start, { operation: 'sign-out', ids: ['nobody'] }, by);
  for (const address of [
    ...['', '?recipe=grafana', ...tabs.map((tab) => `/${tab}`)].map((tab) => app + tab),
    ...['', '?q=no', '?kind=web', '?recipe=gitea'].map((of) => `/admin/clients/new${of}`),
    ...['api', 'look', 'new-apps'].map((tab) => `/admin/settings/${tab}`),
    ...['scopes/new', 'scopes/openid', 'outbox'].map((of) => `/admin/${of}`),
    ...['you', 'server', 'app'].map((step) => `/admin/set-up/${step}`),
    ...[`batches/${batch.id}`, admin.id, 'new', 'invite'].map((of) => `/admin/people/${of}`),
    ...['', `/${id}`].map((of) => `/account/developer${of}`),
  ]) {
    const { bytes, files, page: opened } = await weigh(browser, page, address);
    test.info().annotations.push({ type: 'bytes', description: `${address} ${bytes}` });
    const limit = files.includes('/marks/all') ? mostWithMarks : most;
    expect.soft(bytes, `${address}: ${files}`).toBeLessThan(limit);
    const scripts = files.filter((file) => file.endsWith('.js'));
    expect
      .soft(
        scripts.filter((file) => file.startsWith('/_next/')),
        address,
      )
      .toEqual([]);
    await opened.context().close();
  }
});

test('dashboard lists weigh less than 80 kB, and send no table twice', async ({
  page,
  browser,
}) => {
  const apps = await Promise.all(Array.from({ length: 6 }, () => newClient()));
  for (let index = 0; index < 50; index += 1) {
    const { id } = await newUser({ name: `Weight ${index}` });
    for (const app of apps) await approve(id, app.id, 3);
  }
  await signIn(page, (await newUser({ isAdmin: true })).username);
  await page.goto('/account');
  for (const list of [
    'people',
    'clients',
    'traces',
    'audit',
    'approvals',
    'approvals/matrix',
    'groups',
    'scopes',
  ]) {
    const address = `/admin/${list}`;
    const html = await (await page.request.get(address)).text();
    expect.soft(html, address).not.toContain('__next_f');
    expect.soft(html.length, address).toBeLessThan(100_000);
    const { bytes, files, page: opened } = await weigh(browser, page, address);
    const description = `${address} ${bytes}, HTML ${html.length}`;
    test.info().annotations.push({ type: 'bytes', description });
    expect.soft(bytes, `${address}: ${files}`).toBeLessThan(mostOfLists);
    const scripts = files.filter((file) => file.endsWith('.js'));
    expect.soft(scripts.toSorted(), address).toEqual(['/dashboard.js', '/palette.js']);
    await opened.context().close();
  }
});
