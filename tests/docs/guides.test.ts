// Compares what the guides say about this server with what it does.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '#lib/config.ts';
import { keySetCacheable } from '#lib/identity/signing.ts';
import { claimsByScope } from '#lib/oauth/claims.ts';
import { errorTable } from '#lib/oauth/errors.ts';
import { codesIn } from './blocks.ts';

const guide = (name: string) => readFileSync(`docs/guides/${name}.md`, 'utf8');
/** The cells in the rows of all tables of a guide. */
const rowsOf = (name: string) =>
  guide(name)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

test('docs/guides/claims.md has the claims of each scope', () => {
  const rows = new Map(rowsOf('claims').map((row) => [codesIn(row[0])[0] ?? '', row]));
  for (const [scope, claims] of Object.entries(claimsByScope)) {
    const [, idToken = '', info = ''] = rows.get(scope) ?? [];
    const told = info.startsWith('the same')
      ? [...codesIn(idToken), ...codesIn(info)]
      : codesIn(info);
    expect(told.toSorted(), scope).toEqual([...claims].toSorted());
  }
});

test('docs/guides/errors.md names only existing error codes, with their status', () => {
  const codes = codesIn(guide('errors')).filter((code) =>
    /^(invalid_(?!token$)|access_|login_|consent_|interaction_|account_|un\w+_|server_|temporarily_)/.test(
      code,
    ),
  );
  expect(codes.length).toBeGreaterThan(10);
  expect(codes.filter((code) => !Object.hasOwn(errorTable, code))).toEqual([]);
  for (const [names, status = ''] of rowsOf('errors').filter(([, status]) =>
    /^\d/.test(status ?? ''),
  ))
    for (const code of codesIn(names))
      expect(status, code).toContain(String(errorTable[code as keyof typeof errorTable].status));
});

/** Errors that do not occur in a sign-in: those of registration and revocation. */
const elsewhere = ['invalid_redirect_uri', 'invalid_client_metadata', 'unsupported_token_type'];

test('docs/guides/errors.md names every sign-in error, and docs/guides/refresh.md the temporary ones', () => {
  const page = guide('errors');
  const missing = Object.keys(errorTable).filter((code) => !page.includes(code));
  expect(missing.toSorted()).toEqual(elsewhere.toSorted());
  const passing = Object.entries(errorTable).filter(([, { status }]) => status >= 500);
  const [, said = ''] =
    /Trying again doesn't help\. (.*?) pass by themselves:/.exec(guide('refresh')) ?? [];
  expect(codesIn(said).toSorted()).toEqual(passing.map(([code]) => code).toSorted());
});

describe('numbers in the guides', () => {
  const defaults = parseConfig({ SERVER_SECRET: 'x'.repeat(32) });

  test('of failed requests are the defaults', () => {
    expect(defaults.failedRequests).toEqual({ perClient: 30, perAddress: 300 });
    expect(
      rowsOf('limits')
        .slice(2, 4)
        .map(([, number]) => number),
    ).toEqual(['30', '300']);
  });

  test('of lifetimes are those in docs/settings.md', () => {
    const settings = readFileSync('docs/settings.md', 'utf8');
    const rows = rowsOf('refresh').filter(([, , by]) => by?.startsWith('`'));
    expect(rows).toHaveLength(6);
    for (const [what, life = '', by] of rows) {
      const [name = ''] = codesIn(by);
      const [said = ''] = life.split(',');
      expect(settings, what).toMatch(new RegExp(`\\| \`${name}\` \\| \`\\d+\` \\(${said}\\)`));
    }
  });

  test('of how long keys may be cached are those of the code', () => {
    expect(keySetCacheable).toBe(5 * 60);
    expect(guide('api-tokens')).toContain('`/oauth/jwks` for five minutes at most');
    expect(guide('api-tokens')).toContain(`cacheMaxAge: ${keySetCacheable}_000`);
  });
});
