import { lookAtEveryPage } from '../support/every-page.ts';
import { test } from '../support/mail-journey.ts';

test.describe('de', () => {
  test.use({ locale: 'de', actionTimeout: 15_000 });

  test('every page says its language, breaks no rule of accessibility, and fits a narrow screen', async ({
    page,
    site,
  }) => {
    test.setTimeout(400_000);
    await lookAtEveryPage(page, site, 'de');
  });
});
