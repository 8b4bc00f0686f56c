import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { type BrandPicture, plainBrand } from '#lib/brand.ts';
import { accentFor, accentStyles, contrast, ourAccent } from '#lib/colours.ts';
import { errorPage } from '#lib/http/pages.ts';
import { listAudit } from '#lib/management/audit-event/audit.ts';
import {
  changeBranding,
  removeBrandPicture,
  setBrandPicture,
  showBranding,
  withoutPictures,
} from '#lib/management/branding/branding.ts';
import { productName } from '#lib/messages/text.ts';
import { findBrandPicture, readBranding } from '#lib/store/branding.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { png } from '../support/pictures.ts';
import { actor, faultsOf } from './people.ts';

const now = () => new Date();
const fail = (): never => {
  throw new Error('There is nothing.');
};
const nothing = withoutPictures(plainBrand);
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test.each([
  '#000000',
  '#ffffff',
  '#ffff00',
  '#0b6354',
  '#ff0000',
  '#7f7f7f',
  '#0000ff',
  '#e91e63',
  '#00ff00',
])('the accent colour %s is readable in both themes', (chosen) => {
  for (const [theme, grounds] of [
    ['light', ['#ffffff', '#f1efe9']],
    ['dark', ['#0d1211', '#181f1e']],
  ] as const) {
    const { accent, ink } = accentFor(theme, chosen);
    for (const ground of grounds)
      expect(contrast(accent, ground), `${theme} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    expect(contrast(accent, ink), theme).toBeGreaterThanOrEqual(4.5);
  }
});

test('an accent colour that is readable is kept as chosen', () => {
  expect(accentFor('light', '#0B6354')).toEqual({
    accent: '#0b6354',
    ink: '#ffffff',
    changed: false,
  });
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
});

const ruleOf = (theme: 'light' | 'dark', accent: string) =>
  accentStyles(accent, ':root').split('@media')[theme === 'light' ? 0 : 1] ?? '';

test.each(['light', 'dark'] as const)(
  'without branding, the %s theme has the colours of the style sheet',
  (theme) => {
    const [light = '', dark = ''] = readFileSync('public/gatehouse.css', 'utf8').split(
      '@media (prefers-color-scheme: dark)',
    );
    for (const [, name, value] of ruleOf(theme, ourAccent).matchAll(/(--[\w-]+):([^;}]+)/g))
      expect(theme === 'light' ? light : dark).toContain(`${name}: ${value};`);
    const own = accentFor(theme, '#7a1fa2');
    expect(ruleOf(theme, '#7a1fa2')).toContain(`--accent:${own.accent};--accent-ink:${own.ink}`);
  },
);

onEachDatabase(() => {
  test('branding that an admin chose is shown on the pages, and an edit on top of another is refused', async () => {
    const { stored } = await showBranding();
    const footerLinks = [{ label: 'Imprint <b>', href: 'https://example.org/imprint' }];
    const brand = {
      name: 'Acme',
      accent: '#aa2266',
      supportLink: 'mailto:help@example.org',
      footerLinks,
      words: {},
    };
    await changeBranding(brand, stored, actor, now());
    expect((await showBranding()).brand).toEqual({ ...plainBrand, ...brand });
    expect(productName()).toBe('Acme');
    const page = errorPage({ locale: 'en', title: 'A', text: 'B' });
    for (const part of [
      'A · Acme',
      '/branding/colours/aa2266',
      'mailto:help@example.org',
      'Imprint &lt;b&gt;',
    ])
      expect(page).toContain(part);
    expect(await faultsOf(changeBranding(nothing, stored, actor, now()))).toHaveProperty('seen');
    const seen = (await showBranding()).stored;
    const tries = await Promise.allSettled(
      ['One', 'Two', 'Three'].map((name) => changeBranding({ ...brand, name }, seen, actor, now())),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await changeBranding(nothing, (await showBranding()).stored, actor, now());
    expect((await showBranding()).brand).toEqual(plainBrand);
    expect(productName()).toBe('Gatehouse');
    expect((await listAudit({ type: 'branding' })).rows).toHaveLength(3);
  });

  test.each([
    ['name', { name: 'x'.repeat(41) }],
    ['name', { name: 'a\u0000b' }],
    ['accent', { accent: 'red' }],
    ['accent', { accent: '#fff;}' }],
    ['supportLink', { supportLink: 'javascript:alert(1)' }],
    ['supportLink', { supportLink: 'mailto:nobody' }],
    ['footerLinks', { footerLinks: [{ label: 'X', href: 'data:text/html,x' }] }],
    ['footerLinks', { footerLinks: [{ label: '', href: 'https://example.org' }] }],
    [
      'footerLinks',
      {
        footerLinks: Array.from({ length: 6 }, () => ({ label: 'X', href: 'https://example.org' })),
      },
    ],
  ])('a wrong value in the branding is refused at its field: %s', async (field, change) => {
    const { stored } = await showBranding();
    expect(
      await faultsOf(changeBranding({ ...nothing, ...change }, stored, actor, now())),
    ).toHaveProperty(field);
    expect((await showBranding()).stored).toBe(stored);
  });

  const setPicture = (which: BrandPicture, bytes: Uint8Array = picture) =>
    setBrandPicture(which, bytes, actor, now());
  const removePicture = (which: BrandPicture) => removeBrandPicture(which, actor, now());

  test.each(['logo', 'darkLogo', 'icon'] as const)(
    'a picture of the branding must be one, and can be removed: %s',
    async (which) => {
      if (which === 'darkLogo') await setPicture('logo');
      const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
      expect(await faultsOf(setPicture(which, drawing))).not.toEqual({});
      await setPicture(which, png(30, 20));
      const hash = (await showBranding()).brand[which] ?? '';
      const type = which === 'icon' ? 'image/png' : 'image/webp';
      const { type: told, bytes } = (await findBrandPicture(hash)) ?? fail();
      const { format, width, height } = await sharp(bytes).metadata();
      expect([told, `image/${format}`, width]).toEqual([type, type, 30]);
      expect(height).toBe(which === 'icon' ? 30 : 20);
      await removePicture(which);
      expect((await showBranding()).brand[which]).toBeNull();
      expect(await findBrandPicture(hash)).toBeNull();
      const [{ detail } = fail()] = (await listAudit({ type: 'branding' })).rows;
      expect(detail).toEqual({ [which]: null });
      await removePicture('logo');
    },
  );

  test('a dark logo stands beside a logo, goes with it, and is on pages for dark windows alone', async () => {
    expect(await faultsOf(setPicture('darkLogo'))).toHaveProperty('darkLogo');
    const plain = errorPage({ locale: 'en', title: 'A', text: 'B' });
    expect(plain).toContain('<link rel="icon" href="/favicon.svg" type="image/svg+xml">');
    await setPicture('logo');
    await setPicture('darkLogo', png(30, 20));
    await setPicture('icon', png(8, 8));
    const { logo, darkLogo, icon } = (await showBranding()).brand;
    const page = errorPage({ locale: 'en', title: 'A', text: 'B' });
    expect(page).toContain(
      `<source srcset="/branding/logo/${darkLogo}" media="(prefers-color-scheme: dark)"><img class="gh-mark gh-mark-own" src="/branding/logo/${logo}" alt="">`,
    );
    expect(page).toContain(`<link rel="icon" href="/branding/logo/${icon}" type="image/png">`);
    await removePicture('logo');
    expect((await showBranding()).brand).toMatchObject({ logo: null, darkLogo: null, icon });
    await removePicture('icon');
    await readBranding();
    expect(errorPage({ locale: 'en', title: 'A', text: 'B' })).toBe(plain);
  });
});
