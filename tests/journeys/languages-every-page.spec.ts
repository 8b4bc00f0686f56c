import { lookAtEveryPage, tags } from '../support/every-page.ts';
import { test } from '../support/mail-journey.ts';

// German, and a test language that is longer than any real one and runs from right to left.
for (const locale of tags)
  test.describe(locale, () => {
    test.use({ locale, actionTimeout: 15_000 });

    test('every page has its lang, passes axe, and fits a narrow screen', async ({
      page,
      site,
    }) => {
      test.setTimeout(400_000);
      await lookAtEveryPage(page, site, locale);
    });
  });
