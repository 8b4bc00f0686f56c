import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { agreementOf, disagreement } from '#lib/server/agreement.ts';

const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-agreement-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Environment = Record<string, string>;
const refusal = (before: Environment, now: Environment) =>
  disagreement(agreementOf(before, folder), agreementOf(now, folder));

describe('the workers of one server', () => {
  test.each<[string, Environment, Environment]>([
    ['ISSUER', { ISSUER: 'https://hush.one' }, { ISSUER: 'https://hush.two' }],
    ['ISSUER', {}, { PORT: '3999' }],
    ['DATABASE_URL', {}, { DATABASE_URL: 'postgresql://hush:hush@db/x' }],
    ['SERVER_SECRET', { SERVER_SECRET: 'hush one' }, { SERVER_SECRET: 'hush two' }],
    ['SERVER_SECRET', { SERVER_SECRET: 'hush one' }, {}],
    ['DATABASE_URL and DATA_DIR', {}, { DATA_DIR: '/hush' }],
    ['DATA_DIR', { DATABASE_URL: 'file:x' }, { DATABASE_URL: 'file:x', DATA_DIR: '/hush' }],
  ])('cannot disagree about %s', (name, before, now) => {
    const says = refusal(before, now);
    expect(says).toMatch(new RegExp(`^${name} changed, .* Restart the server`));
    expect(says).not.toContain('hush');
  });

  test.each<[string, Environment, Environment]>([
    ['nothing changed', { ISSUER: 'https://a.example' }, { ISSUER: 'https://a.example' }],
    ['the default is written out', {}, { DATABASE_URL: 'file:./data/gatehouse.db', ISSUER: '' }],
    ['another port behind one issuer', { ISSUER: 'https://a' }, { ISSUER: 'https://a', PORT: '1' }],
    ['what they may disagree about', { LOG_LEVEL: 'info' }, { MAIL_URL: 'smtp://mail' }],
  ])('may differ: %s', (_, before, now) => {
    expect(refusal(before, now)).toBeNull();
  });

  test('are compared by the content of their secret files', () => {
    const file = resolve(folder, 'secret');
    const env = { SERVER_SECRET_FILE: file };
    writeFileSync(file, 'the first');
    const before = agreementOf(env, folder);
    expect(disagreement(before, agreementOf({ SERVER_SECRET: 'the first' }, folder))).toBeNull();
    writeFileSync(file, 'the second');
    expect(disagreement(before, agreementOf(env, folder))).toMatch(/^SERVER_SECRET changed/);
  });
});
