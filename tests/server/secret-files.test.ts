import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigError, parseConfig } from '#lib/config.ts';
import { digest } from '#lib/oauth/secrets.ts';
import { secretNames } from '#lib/settings/secret-files.ts';

const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

const secret = 'a secret of the tests, worth nothing elsewhere';

/** A file like those that an orchestrator mounts. */
function fileWith(text: string): string {
  const file = resolve(folder, `secret-${Math.random()}`);
  writeFileSync(file, text);
  return file;
}

/** For each secret: a value, the other settings that it needs, and where it ends up. */
const cases: Record<string, [value: string, with_: object, read: (c: Config) => unknown]> = {
  DATABASE_URL: ['postgresql://ada:pass@db/gatehouse', {}, (c) => c.databaseUrl],
  SERVER_SECRET: ['s'.repeat(40), { SERVER_SECRET: '' }, (c) => c.serverSecrets[0]],
  SERVER_SECRET_PREVIOUS: ['p'.repeat(40), {}, (c) => c.serverSecrets[1]],
  MAIL_URL: ['smtps://ada:pass@mail.example.org', {}, (c) => c.mail.url],
  BACKUP_PASSPHRASE: ['ten letters', { BACKUP_DIR: folder }, (c) => c.backups?.passphrase],
  METRICS_TOKEN: ['t'.repeat(24), { METRICS: 'token' }, (c) => c.metrics?.token],
  PROXY_SECRET: [
    'q'.repeat(40),
    {},
    (c) => (c.proxySecretHash === digest('q'.repeat(40)) ? 'q'.repeat(40) : null),
  ],
  OTEL_EXPORTER_OTLP_HEADERS: [
    'x-team=ids',
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' },
    (c) => c.telemetry && `x-team=${c.telemetry.headers['x-team']}`,
  ],
};
type Config = ReturnType<typeof parseConfig>;
const parse = (env: object) => parseConfig({ SERVER_SECRET: secret, ...env });

describe.each(secretNames)('the secret %s', (name) => {
  const [value, others, read] = cases[name] ?? ['', {}, () => null];

  test('can be kept in a file; a newline at its end is not part of it', () => {
    const file = fileWith(`${value}\n`);
    const config = parse({ ...others, [name]: '', [`${name}_FILE`]: file });
    expect(read(config)).toBe(value);
    expect(config.secretFiles).toEqual([file]);
  });

  test('and its file are not both set', () => {
    const both = { ...others, [name]: value, [`${name}_FILE`]: fileWith(value) };
    expect(() => parse(both)).toThrow(`${name} and ${name}_FILE are both set. Keep one of them.`);
  });

  test.each([
    ['is missing', () => resolve(folder, 'none'), 'ENOENT). Put the secret there, or correct'],
    ['is a folder', () => folder, 'EISDIR). Give the user that runs this server'],
    ['is empty', () => fileWith('\n'), `is empty: ${name}_FILE wants the value of ${name}`],
  ])('whose file %s prevents the start with a sentence', (_, file, says) => {
    const wrong = () => parse({ ...others, [name]: '', [`${name}_FILE`]: file() });
    expect(wrong).toThrow(ConfigError);
    expect(wrong).toThrow(says);
  });

  test('is not repeated in the error if its form is wrong', () => {
    const wrong = { ...others, [name]: '', [`${name}_FILE`]: fileWith('tell-no1') };
    expect(() => parse(wrong)).toThrow(name);
    expect(() => parse(wrong)).not.toThrow('tell-no1');
  });
});

test('SERVER_SECRET_PREVIOUS_FILE has one former secret in each line', () => {
  const file = fileWith(`${'a'.repeat(32)}\n${'b'.repeat(32)}\n`);
  const { serverSecrets } = parse({ SERVER_SECRET_PREVIOUS_FILE: file });
  expect(serverSecrets.slice(1)).toEqual(['a'.repeat(32), 'b'.repeat(32)]);
});

test('the path of a secret file is relative to the folder of Gatehouse', () => {
  expect(() => parse({ MAIL_URL_FILE: 'nowhere/mail' })).toThrow(`${resolve('nowhere/mail')} `);
});
