// “What is not here” has to lose a line once it is here.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endpointPaths } from '#app/paths.ts';
import { routes } from '#lib/endpoints/api/routes.ts';
import { grantTypeNames } from '#lib/oauth/grant-types.ts';

const page = readFileSync('docs/not-here.md', 'utf8');

/** Headings of the page, each with what addresses and calls would be named if it were here. */
const missing = {
  SAML: /saml|\/sso\b/i,
  SCIM: /scim/i,
  CIBA: /bc-authorize|ciba/i,
  'Tenants, realms and organizations': /tenant|organi[sz]ation/i,
  'Sign in as somebody else': /impersonat/i,
  'Webhooks and event streams': /webhook|event-stream|subscription/i,
} as const;

test('docs/not-here.md: no address and no call of the API is for what it says is missing', () => {
  const known = [
    ...endpointPaths,
    ...Object.values(routes).flatMap((each) => JSON.stringify(each)),
  ];
  expect(known.length).toBeGreaterThan(50);
  for (const [heading, sign] of Object.entries(missing)) {
    expect(page).toContain(`\n### ${heading}\n`);
    expect(
      known.filter((each) => sign.test(each)),
      heading,
    ).toEqual([]);
  }
});

test('docs/not-here.md: no grant type is one of the older flows', () => {
  expect(page).toContain('no implicit and hybrid flows and no password grant');
  expect(grantTypeNames.filter((name) => /password|implicit|ciba|saml/.test(name))).toEqual([]);
});

test('docs/not-here.md: each heading has other names for the search, and says what to do instead', () => {
  const sections = page.split(/\n### /).slice(1);
  expect(sections.length).toBeGreaterThan(15);
  for (const section of sections) expect(section).toMatch(/^.+\n\n<!-- search: .+ -->\n\n\[?[A-Z]/);
});
