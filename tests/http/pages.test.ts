import { expect, test } from 'vitest';
import { errorPage, formPostPage } from '#lib/http/pages.ts';

const hostile = `"><img src=x onerror=alert(1)>`;

test('an error page shows title, text and details escaped', () => {
  const page = errorPage({
    locale: 'en',
    title: hostile,
    text: hostile,
    reason: hostile,
    code: 'invalid_request',
    requestId: hostile,
  });
  expect(page).toMatch(/^<!doctype html>/);
  expect(page).toContain('invalid_request');
  expect(page).not.toContain('<img');
});

test('an error page without details has no empty list', () => {
  expect(errorPage({ locale: 'en', title: 'A', text: 'B' })).not.toContain('<dl>');
});

test('a form_post page posts its fields and has a button for browsers without scripts', () => {
  const page = formPostPage({
    locale: 'en',
    action: 'https://client.example/cb?a=1&b=2',
    host: 'client.example',
    fields: { code: 'gh_1', state: hostile },
    nonce: 'N0nce',
  });
  expect(page).toContain('<form method="post" action="https://client.example/cb?a=1&amp;b=2"');
  expect(page).toContain('<input type="hidden" name="code" value="gh_1">');
  expect(page).toContain('<button');
  expect(page).toContain('<script src="/form-post.js" nonce="N0nce"></script>');
  expect(page).not.toContain('<img');
});

test('no page has what its CSP forbids: inline styles, inline scripts, event handlers', () => {
  const pages = [
    errorPage({
      locale: 'en',
      title: 'A',
      text: 'B',
      reason: 'C',
      action: { href: '/', label: 'D' },
      explainedAt: '/docs',
    }),
    formPostPage({ locale: 'en', action: '/', host: 'h', fields: {}, nonce: 'n' }),
  ];
  for (const page of pages) expect(page).not.toMatch(/<style|<script(?! src)|\sstyle=|\son\w+=/);
});

test('a page has lang and dir, and the message for developers is marked as English', () => {
  expect(errorPage({ locale: 'de', title: 'A', text: 'B' })).toContain(
    '<html lang="de" dir="ltr">',
  );
  const page = errorPage({ locale: 'ar-XB', title: 'A', text: 'B', reason: 'C' });
  expect(page).toContain('<html lang="ar-XB" dir="rtl">');
  expect(page).toContain('<bdi lang="en" dir="ltr">C</bdi>');
});

test('an error page links an admin first to the reason, and then home', () => {
  const page = errorPage({
    ...({ locale: 'en', title: 'A', text: 'B', whyAt: '/admin/traces?request=r-1' } as const),
    action: { href: '/', label: 'Home' },
  });
  const buttons = [...page.matchAll(/class="gh-button ([^"]*)" href="([^"]*)"/g)];
  expect(buttons.map(([, look, href]) => [look, href])).toEqual([
    ['gh-button-primary gh-wide gh-apart', '/admin/traces?request=r-1'],
    ['gh-button-secondary gh-below gh-wide', '/'],
  ]);
});

test('an error page has a text to copy for the administrator, unless the reader is an admin', () => {
  const page = {
    locale: 'en',
    title: 'Refused',
    text: 'B',
    reason: 'Why',
    requestId: 'r-1',
  } as const;
  const at = new Date(Date.UTC(2030, 0, 2, 3, 4, 5));
  const shown = errorPage({ ...page, app: 'Shop <b>\u202e', at });
  expect(shown).toContain(
    '<pre dir="auto">Refused\nMessage to the developer: Why\nApp: Shop &lt;b&gt;\ufffd\nRequest ID: r-1\nTime: 2030-01-02T03:04:05.000Z</pre>',
  );
  expect(errorPage({ ...page, at, whyAt: '/admin/traces?request=r-1' })).not.toContain('<pre');
  expect(errorPage({ locale: 'de', title: 'A', text: 'B', at })).not.toContain('<pre');
});
