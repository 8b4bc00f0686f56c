import sharp from 'sharp';
import { axeFindings } from '../support/axe.ts';
import { authorizeUrl, expect, signIn, test } from '../support/journey.ts';
import { photo } from '../support/pictures.ts';
import { newClient, newUser } from '../support/seed.ts';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('a picture is uploaded, shown in the account and on the consent page, and removed', async ({
      page,
      site,
    }) => {
      const user = await newUser({ name: 'Ada King' });
      await signIn(page, user.username);
      await page.goto('/account');
      await page.getByRole('link', { name: 'Profile', exact: true }).first().click();
      const card = page.getByRole('region', { name: 'Picture' });
      const send = async (name: string, buffer: Buffer) => {
        await card
          .getByLabel('Choose a picture')
          .setInputFiles({ name, mimeType: 'image/jpeg', buffer });
        await card.getByRole('button', { name: 'Upload' }).click();
      };
      await send('notes.jpg', Buffer.from('no picture at all'));
      await expect(card.getByLabel('Choose a picture')).toHaveAccessibleDescription(
        /^Use a PNG, JPEG, WebP or GIF\./,
      );
      if (javaScriptEnabled) expect(await axeFindings(page)).toEqual([]);
      await send('huge.jpg', Buffer.alloc(12 * 1024 * 1024));
      await expect(card.getByLabel('Choose a picture')).toHaveAccessibleDescription(
        /^This file is larger than 2 MB\./,
      );
      await send('me.jpg', await photo(3000, 4000));
      await expect(page.getByRole('status')).toContainText('Picture saved.');
      const client = await newClient({ redirectUris: [`${site.https}/callback`] });
      for (const address of ['/account/profile', '/account', authorizeUrl(client.id)]) {
        await page.goto(address);
        const picture = page.locator('img[src^="/pictures/"]').first();
        await expect(picture).toBeVisible();
        await expect(picture).toHaveJSProperty('naturalWidth', 512);
      }
      await page.goto('/account/profile');
      await card.getByRole('button', { name: 'Remove picture' }).click();
      await expect(page.getByRole('status')).toContainText('Picture removed.');
      await expect(page.locator('img[src^="/pictures/"]')).toHaveCount(0);
    });
  });
}

test('a picture is cropped by the user: what is dragged out is not uploaded', async ({ page }) => {
  const user = await newUser();
  await signIn(page, user.username);
  await page.goto('/account/profile');
  // Left half red, right half blue.
  const [red, blue] = ['#f00', '#00f'].map((background) =>
    sharp({ create: { width: 300, height: 300, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  const buffer = await sharp({
    create: { width: 600, height: 300, channels: 3, background: '#fff' },
  })
    .composite([
      { input: await red, left: 0, top: 0 },
      { input: await blue, left: 300, top: 0 },
    ])
    .png()
    .toBuffer();
  await page
    .getByLabel('Choose a picture')
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
  const cut = page.getByRole('img', { name: 'How your picture will be cropped' });
  await expect(cut).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  await cut.hover({ position: { x: 60, y: 90 } });
  const box = await cut.boundingBox();
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) + 130, (box?.y ?? 0) + 90, { steps: 5 });
  await page.mouse.up();
  for (let press = 0; press < 8; press += 1) await cut.press('ArrowLeft');
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  const shown = page.locator('img[src^="/pictures/"]').first();
  await expect(shown).toBeVisible();
  const picture = await page.request.get((await shown.getAttribute('src')) ?? '');
  const { dominant } = await sharp(await picture.body()).stats();
  expect(dominant.r).toBeGreaterThan(200);
  expect(dominant.b).toBeLessThan(60);
});
