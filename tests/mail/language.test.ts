import { expect, test } from 'vitest';
import { config } from '#lib/config.ts';
import { subjectLineOf, writeHtml, writeText } from '#lib/mail/write.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';

process.env.SERVER_SECRET ??= 's'.repeat(40);
const { host } = new URL(config().issuer);

const sheetIn = (locale: Locale, username = 'ada') => ({
  to: 'ada@example.org',
  subject: textIn(locale)('mail.passwordChanged.subject', { product: 'Gatehouse' }),
  paragraphs: [textIn(locale)('mail.passwordChanged.text', { username, host, time: '1 May' })],
  notes: [],
  locale,
});

test('a mail has lang and dir, also inside of the body', () => {
  for (const [locale, direction] of [
    ['de', 'ltr'],
    ['ar-XB', 'rtl'],
  ] as const) {
    const html = writeHtml(sheetIn(locale));
    expect(html).toContain(`<html lang="${locale}" dir="${direction}">`);
    expect(html).toMatch(new RegExp(`<table[^>]* lang="${locale}" dir="${direction}"`));
  }
  expect(subjectLineOf(sheetIn('de'))).toBe('Ihr Passwort bei Gatehouse wurde geändert');
});

test('a right-to-left mail isolates names and hosts, and drops other direction characters', () => {
  const text = writeText(sheetIn('ar-XB', 'ada\u2069\u202Eevil')).replace(/\n/g, ' ');
  expect(text).toContain(`\u2068${host}\u2069`);
  expect(text).toContain('\u2068adaevil\u2069');
  expect(text.match(/\u2068/g)?.length).toBe(text.match(/\u2069/g)?.length);
  expect(text).not.toMatch(/[\u202A-\u202E]/);
  expect(writeText(sheetIn('de', 'ada\u2068\u202Eevil'))).not.toMatch(
    /[\u2060-\u2069\u202A-\u202E]/,
  );
});
