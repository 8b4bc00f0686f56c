import { count, flushUsage } from '#lib/store/usage.ts';
import { expectAccessible } from '../support/axe.ts';
import { test } from '../support/dashboard.ts';
import { answerAt, authorizeUrl, expect, redeem } from '../support/journey.ts';
import { newClient } from '../support/seed.ts';

const hour = 3600_000;

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled, timezoneId: 'Asia/Tokyo' });

    test('Home of the dashboard shows the state and a chart of a week’s sign-ins in the reader’s time zone', async ({
      page,
      admin: _,
      server,
      site,
    }) => {
      const app = await newClient({ firstParty: true, redirectUris: [`${site.https}/cb`] });
      await page.goto(authorizeUrl(app.id));
      await redeem(server, app, (await answerAt(page, site.https)).code ?? '');
      for (const hours of [1, 30, 24 * 7 + 2])
        count('sign-in', null, new Date(Date.now() - hours * hour));
      count('sign-in-failed', null, new Date());
      await flushUsage();

      await page.goto('/admin');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        /Everything works|An app is failing|\d+ apps are failing|things? needs? your attention/,
      );
      const chart = page.getByRole('img', { name: /^Sign-ins in the last 7 days: .+ worked/ });
      await expect(chart).toBeVisible();
      // The number of failed sign-ins leads to their events.
      await expect(page.locator('#sign-ins a', { hasText: 'failed' })).toHaveAttribute(
        'href',
        /^\/admin\/audit\?type=sign-in\.failure&from=\d{4}-\d\d-\d\d$/,
      );
      const zone = javaScriptEnabled ? 'Asia/Tokyo' : 'UTC';
      await expect(page.locator('#sign-ins')).toContainText(`Times in ${zone}`);
      const today = new Intl.DateTimeFormat('en-US', {
        weekday: 'short',
        month: 'short',
        day: 'numeric',
        timeZone: zone,
      }).format(new Date());
      await page.getByText('As a table').click();
      await expect(page.locator('#sign-ins tbody tr').last()).toContainText(today);
      await page.getByRole('link', { name: '24 hours', exact: true }).click();
      await expect(page.getByRole('img', { name: /in the last 24 hours/ })).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
      await page.setViewportSize({ width: 360, height: 800 });
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (javaScriptEnabled) expect(overflow).toBe(0);
    });
  });
