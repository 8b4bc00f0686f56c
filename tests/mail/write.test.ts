import { afterEach, expect, test } from 'vitest';
import { holdBrand, plainBrand } from '#lib/brand.ts';
import { contrast } from '#lib/colours.ts';
import { config } from '#lib/config.ts';
import type { Sheet } from '#lib/mail/letter.ts';
import { writeHtml, writeText } from '#lib/mail/write.ts';
import { textOf } from '../support/html.ts';

process.env.SERVER_SECRET ??= 's'.repeat(40);
const { issuer } = config();
const sheet: Sheet = {
  to: 'ada@example.org',
  subject: 'Subject',
  paragraphs: ['The app “<b>https://evil.example/x</b>” was allowed.', 'A second paragraph.'],
  action: { href: `${issuer}/account?token=1`, label: 'Review your account' },
  notes: [`Choose a new one at ${issuer}/recover`, 'A last note.'],
  locale: 'en',
};

afterEach(() => holdBrand(plainBrand));

test('a mail says the same in text and HTML, and links only to this server', () => {
  const [html, text] = [textOf(writeHtml(sheet)), writeText(sheet).replaceAll('\n', ' ')];
  for (const said of [
    'The app “<b>https:\u2060/\u2060/\u2060evil.\u2060example/\u2060x</\u2060b>” was allowed.',
    ...sheet.paragraphs.slice(1),
    ...sheet.notes,
    sheet.action?.label ?? '',
    sheet.action?.href ?? '',
  ]) {
    expect(text).toContain(said);
    expect(html).toContain(said);
  }
  const hrefs = [...writeHtml(sheet).matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
  expect(hrefs).toEqual([sheet.action?.href, sheet.action?.href, `${issuer}/recover`]);
});

test('punctuation of other scripts ends an address of this server, which stays whole', () => {
  const { host } = new URL(issuer);
  const said = [`重置：${issuer}/recover。`, `（${host}）、「${host}」`, `؟${host}،`];
  const mail = { ...sheet, paragraphs: said, notes: said, locale: 'de' as const };
  for (const each of [writeText(mail), textOf(writeHtml(mail))])
    for (const part of said) expect(each).toContain(part);
  expect(writeHtml(mail)).toContain(`href="${issuer}/recover"`);
  expect(writeText({ ...mail, paragraphs: ['（evil.example）'] })).toContain(
    '（evil.\u2060example）',
  );
});

test.each([
  ['jane.doe', 'jane.\u2060doe'],
  ['evil.example', 'evil.\u2060example'],
  ['www.evil.example', 'www.\u2060evil.\u2060example'],
  ['https://evil.example/a@b', 'https:\u2060/\u2060/\u2060evil.\u2060example/\u2060a@b'],
  ['evil.\u2060example', 'evil.\u2060example'],
  // Dots of a domain, too, for whoever links it (UTS 46).
  ['evil。example', 'evil。\u2060example'],
  ['evil．example', 'evil．\u2060example'],
  ['例え｡example', '例え｡\u2060example'],
  [`${new URL(issuer).host}。evil.example`, `${new URL(issuer).host}。\u2060evil.\u2060example`],
])('a username in a mail is no link: %s', (username, written) => {
  const said = (name: string) => `The account ${name} at ${new URL(issuer).host}. It ends.`;
  const mail = { ...sheet, paragraphs: [said(username)], notes: [said(username)] };
  for (const each of [writeText(mail).replaceAll('\n', ' '), textOf(writeHtml(mail))])
    expect(each.split(said(written))).toHaveLength(3);
});

test('the HTML of a mail loads nothing from anywhere', () => {
  expect(writeHtml(sheet)).not.toMatch(
    /<(img|link|script|iframe|object|video)|url\(|@import|\ssrc=/i,
  );
});

test.each(['#ffd400', '#0b6354', '#000000', '#ffffff', '#ff0000'])(
  'an accent of %s in a mail is legible in light and dark',
  (accent) => {
    holdBrand({ ...plainBrand, accent });
    const html = writeHtml(sheet);
    const [, light = '', lightInk = ''] =
      /border-radius:12px;background:(#\w{6});color:(#\w{6})/.exec(html) ?? [];
    const [, dark = '', darkInk = ''] =
      /\.button { background: (#\w{6}) !important; color: (#\w{6})/.exec(html) ?? [];
    expect(contrast(light, lightInk)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(dark, darkInk)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(light, '#ffffff')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(dark, '#181f1e')).toBeGreaterThanOrEqual(4.5);
    expect(html).toContain(`.brand, .address { color: ${dark} `);
  },
);
