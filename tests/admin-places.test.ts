import { expect, test } from 'vitest';
import { textIn } from '#lib/messages/text.ts';
import { daysFor, placesFor, placesMeant } from '../app/admin/search/places.ts';

/** A Saturday. */
const now = new Date('2026-11-28T12:00:00Z');

const inEnglish = {
  '2fa': '/admin/people?step=without /admin/settings/sign-in',
  mfa: '/admin/people?step=without /admin/settings/sign-in',
  'require two factor': '/admin/settings/sign-in',
  'not signed in': '/admin/people?quiet=days90',
  inactive: '/admin/people?quiet=days90',
  'disable user': '/admin/people',
  'disabled users': '/admin/people?state=disabled',
  'reset password': '/admin/people',
  'export audit': '/admin/audit',
  'who did': '/admin/audit',
  'failed logins': '/admin/traces?result=failed',
  'last tuesday': '/admin/traces?from=2026-11-24&to=2026-11-24',
  'last saturday': '/admin/traces?from=2026-11-21&to=2026-11-21',
  yesterday: '/admin/traces?from=2026-11-27&to=2026-11-27',
  today: '/admin/traces?from=2026-11-28&to=2026-11-28',
  'rotate secret': '/admin/clients',
};

const inGerman = {
  '2fa': '/admin/people?step=without /admin/settings/sign-in',
  mfa: '/admin/people?step=without /admin/settings/sign-in',
  'zwei faktor': '/admin/people?step=without /admin/settings/sign-in',
  'nicht angemeldet': '/admin/people?quiet=days90',
  'benutzer sperren': '/admin/people',
  'nutzer deaktivieren': '/admin/people',
  'passwort zurücksetzen': '/admin/people',
  'export audit': '/admin/audit',
  'protokoll exportieren': '/admin/traces /admin/audit',
  'anmeldung fehlgeschlagen': '/admin/traces?result=failed',
  'letzten dienstag': '/admin/traces?from=2026-11-24&to=2026-11-24',
  'last tuesday': '/admin/traces?from=2026-11-24&to=2026-11-24',
  gestern: '/admin/traces?from=2026-11-27&to=2026-11-27',
};

test.each([
  ...Object.entries(inEnglish).map((row) => ['en', ...row] as const),
  ...Object.entries(inGerman).map((row) => ['de', ...row] as const),
])('the dashboard’s search knows words of admins (%s): %s', (locale, typed, places) => {
  const text = textIn(locale);
  const { pages } = placesFor('admin', text);
  const all = [...pages, ...daysFor('admin', text, 'Europe/Berlin', now)];
  const found = placesMeant(all, typed).map(({ href }) => href);
  for (const place of places.split(' ')) expect(found).toContain(place);
  expect(found.length).toBeLessThan(5);
});

test('whoever may not see attempts finds no day of them', () => {
  expect(daysFor('support', textIn('en'), 'UTC', now)).toEqual([]);
});
