import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { parseConfig } from '#lib/config.ts';
import { readEnvironment } from '#lib/server/environment.ts';
import {
  addEnvFile,
  EnvFileError,
  keepsNextFromEnvFiles,
  parseEnvFile,
} from '#lib/settings/env-file.ts';
import { inOwnProcess, run } from '../cli/command-line.ts';
import { filesThatUse, linesWith } from './doors.ts';
import { envFiles } from './env-files.ts';

const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-env-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  delete process.env.SETTINGS_DIR;
});

/** A folder with this `.env`. */
function withFile(content: string | Uint8Array): string {
  const place = mkdtempSync(resolve(folder, 'settings-'));
  writeFileSync(resolve(place, '.env'), content);
  return place;
}

/** What each way of reading the file makes of it: the values of these names, or the refusal. */
const doors: Record<string, (place: string, names: string[]) => unknown[]> = {
  'a server of one process, a command and npm start': (place, names) => {
    const env: Record<string, string | undefined> = { SETTINGS_DIR: place };
    const told: string[] = [];
    addEnvFile(env, '/', (sentence) => told.push(sentence));
    return [Object.fromEntries(names.map((name) => [name, env[name]])), told.join()];
  },
  'a server of several processes, at its start and its reload': (place, names) => {
    process.env.SETTINGS_DIR = place;
    const told: string[] = [];
    const kept = Object.fromEntries(names.map((name) => [name, process.env[name]]));
    for (const name of names) delete process.env[name];
    try {
      const env = readEnvironment('/', (sentence) => told.push(sentence));
      return [Object.fromEntries(names.map((name) => [name, env[name]])), told.join()];
    } finally {
      for (const [name, value] of Object.entries(kept))
        if (value !== undefined) process.env[name] = value;
    }
  },
};

describe.each(Object.entries(doors))('.env is read by %s', (_, read) => {
  test.each(envFiles)('as written by $from', ({ file, reads = {}, says, others }) => {
    const place = withFile(file);
    const reading = () => read(place, Object.keys(reads));
    if (says === undefined)
      expect(reading()).toEqual([reads, others ? expect.stringContaining(others) : '']);
    else {
      expect(reading).toThrow(EnvFileError);
      expect(reading).toThrow(says);
    }
  });
});

test('a refusal repeats no value of .env, and reading takes time that grows with its length alone', () => {
  const said = () => parseEnvFile('hush hush\nPROT=hush\nA="hush\n', '.env');
  expect(said).toThrow(EnvFileError);
  expect(said).not.toThrow('hush');
  const began = performance.now();
  for (const part of ['"', 'A="x" ', 'x \t', 'A=', "A='", 'A=\n', ' #', '\\"'])
    try {
      parseEnvFile(`B=${part.repeat(200_000)}`, '.env');
    } catch (error) {
      expect(error).toBeInstanceOf(EnvFileError);
    }
  expect(performance.now() - began).toBeLessThan(5_000);
});

describe('a .env that cannot be used stops', () => {
  const broken = {
    '.env with a wrong name': 'ISUER=https://id.example.org\n',
    '.env in UTF-16': Buffer.from('\ufeffPORT=1', 'utf16le'),
  };
  const root = resolve(import.meta.dirname, '../..');
  const settings = (place: string) => ({
    PATH: process.env.PATH,
    NODE_ENV: 'production' as const,
    SETTINGS_DIR: place,
    PORT: '0',
  });

  test.each(Object.entries(broken))('the server, with exit code 78: %s', async (_, content) => {
    for (const WORKERS of ['1', '2']) {
      const env = { ...settings(withFile(content)), WORKERS };
      const { code, stderr } = await run(process.execPath, ['lib/server.ts'], { cwd: root, env });
      expect([code, stderr]).toEqual([
        78,
        expect.stringMatching(/^Gatehouse cannot start: .*\.env.*\n$/),
      ]);
    }
  });

  test('a command, the doctor too', async () => {
    const env = settings(withFile('ISUER=x\n'));
    for (const args of [['user', 'list'], ['doctor']])
      expect(await inOwnProcess(args, '', env)).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('Did you mean ISSUER?'),
      });
  });

  test('and a folder or a file without the right to read it is named, with who may not', () => {
    const place = mkdtempSync(resolve(folder, 'closed-'));
    mkdirSync(resolve(place, '.env'));
    expect(() => addEnvFile({ SETTINGS_DIR: place }, '/')).toThrow(
      /\.env cannot be read by \S+ \(EISDIR\)\. Give that user the right to read it/,
    );
  });

  test.skipIf(process.getuid?.() !== 0)('and so is one of another user', async () => {
    const place = withFile('PORT=1\n');
    for (const path of [folder, place]) chmodSync(path, 0o755);
    chmodSync(resolve(place, '.env'), 0o600);
    const script = `import { addEnvFile } from ${JSON.stringify(resolve(root, 'lib/settings/env-file.ts'))};
      try { addEnvFile({ SETTINGS_DIR: ${JSON.stringify(place)} }, '/') } catch (error) { console.log(error.message) }`;
    const args = [
      '--reuid=65534',
      '--clear-groups',
      process.execPath,
      '--input-type=module',
      '-e',
      script,
    ];
    const { stdout } = await run('setpriv', args);
    expect(stdout).toMatch(/\.env cannot be read by nobody \(EACCES\)/);
  });
});

test('a secret in a file has no byte order mark in it, and one in UTF-16 is refused', () => {
  const place = mkdtempSync(resolve(folder, 'secret-'));
  const file = resolve(place, 'secret');
  const read = () => parseConfig({ SERVER_SECRET_FILE: file }).serverSecrets;
  writeFileSync(file, `\ufeff${'s'.repeat(40)}\r\n`);
  expect(read()).toEqual(['s'.repeat(40)]);
  writeFileSync(file, Buffer.from(`\ufeff${'s'.repeat(40)}`, 'utf16le'));
  expect(read).toThrow(/secret is in UTF-16 .*Save it as UTF-8/);
});

describe('Next.js', () => {
  /** What its reader leaves in the environment, once Gatehouse has read the file. */
  const leaves = (content: string | Uint8Array, set: Record<string, string>) => {
    const script =
      "require('@next/env').loadEnvConfig(process.argv[1], false); console.log(JSON.stringify(process.env))";
    const { stdout } = spawnSync(process.execPath, ['-e', script, withFile(content)], {
      cwd: resolve(import.meta.dirname, '../..'),
      env: { NODE_ENV: 'production', ...set },
      encoding: 'utf8',
    });
    return JSON.parse(stdout) as Record<string, string>;
  };

  test.each([
    ...envFiles,
    {
      from: 'Next.js: $ for another variable',
      file: 'A=$NODE_ENV\nB=$A\n',
      reads: { A: 'x$NODE_ENV' },
    },
    { from: 'Next.js: a file beside another SETTINGS_DIR', file: 'PORT=1\n', reads: {} },
  ])('adds nothing to .env, and changes nothing: $from', ({ file, reads = {} }) => {
    const set = { ...reads, ...keepsNextFromEnvFiles };
    expect(leaves(file, set)).toEqual({ NODE_ENV: 'production', ...set });
  });

  test('is kept from .env wherever it starts', () => {
    const starts = linesWith(/import\('next'\)|next\/dist\/bin\/next/);
    expect(starts.map((line) => line.split(':')[0])).toEqual([
      'lib/server/dev.ts',
      'lib/server/pages.ts',
      'lib/tooling/prepare.ts',
    ]);
    // The pages are served by serve.ts.
    expect(filesThatUse('keepsNextFromEnvFiles', 'lib/settings/env-file.ts')).toEqual([
      'lib/server/dev.ts',
      'lib/server/serve.ts',
      'lib/tooling/prepare.ts',
    ]);
  });
});

test('.env has one reader, and files that people write have one decoding', () => {
  expect(linesWith(/loadEnvFile|parseEnv\b/)).toEqual([]);
  expect(filesThatUse('readEnvFile', 'lib/settings/env-file.ts')).toEqual([
    'lib/server/dev.ts',
    'lib/server/environment.ts',
  ]);
  expect(filesThatUse('addEnvFile', 'lib/settings/env-file.ts')).toEqual([
    'lib/cli/run.ts',
    'lib/server/serve.ts',
    'lib/tooling/commands.ts',
  ]);
  const reading = /readFileSync\([^)]*'utf-?8'\)/;
  const others = linesWith(reading).filter(
    (line) => !/^lib\/(demo|docs|package|reference|tooling)\//.test(line),
  );
  // What the program, the build or the system wrote.
  expect(others.map((line) => line.split(':')[0])).toEqual([
    'lib/config.ts',
    'lib/doctor/machine.ts',
    'lib/messages/locales.ts',
    'lib/server/own-places.ts',
    'lib/server/pages.ts',
    'lib/server/port-holder.ts',
  ]);
});
