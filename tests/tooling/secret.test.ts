import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureServerSecret } from '#lib/tooling/secret.ts';

let parent: string;
let DATA_DIR: string;
beforeEach(() => {
  parent = mkdtempSync(resolve(tmpdir(), 'gatehouse-secret-'));
  DATA_DIR = resolve(parent, 'data');
});
afterEach(() => rmSync(parent, { recursive: true }));

const environment = (more: Record<string, string> = {}) => ({
  NODE_ENV: 'production' as const,
  SETTINGS_DIR: parent,
  DATA_DIR,
  ...more,
});

test('the server secret is random, created once, and readable only by its owner', () => {
  ensureServerSecret(environment());
  const secret = readFileSync(`${DATA_DIR}/server-secret`, 'utf8');
  expect(secret.trim()).toMatch(/^[\w-]{64}$/);
  ensureServerSecret(environment());
  expect(readFileSync(`${DATA_DIR}/server-secret`, 'utf8')).toBe(secret);
  expect(statSync(`${DATA_DIR}/server-secret`).mode & 0o777).toBe(0o600);
  expect(statSync(DATA_DIR).mode & 0o777).toBe(0o700);
  expect(readdirSync(DATA_DIR)).toEqual(['server-secret']);
});

test.each(['SERVER_SECRET', 'SERVER_SECRET_FILE'])(
  'no server secret is created if %s is set',
  (name) => {
    ensureServerSecret(environment({ [name]: '/run/secrets/gatehouse' }));
    expect(readdirSync(parent)).toEqual([]);
  },
);
