import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { buildProgram } from '#lib/cli/program.ts';
import { envExample } from '#lib/reference/env-example.ts';
import { generatedFiles } from '#lib/reference/files.ts';
import { root } from '#lib/tooling/stamp.mjs';

const generated = generatedFiles();
const read = (path: string) => readFileSync(resolve(root, path), 'utf8');

test.each(Object.keys(generated))('%s is as the code has it: else run `npm run docs`', (path) => {
  expect(read(path)).toBe(generated[path]);
});

test('docs/settings.md has every variable of .env.example in its tables', () => {
  const names = [...envExample().matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(50);
  const rows = [...read('docs/settings.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(
    ([, name]) => name,
  );
  expect(rows).toEqual(names);
});

test('the settings page: defaults of both profiles, times in words, what only the environment sets', () => {
  const page = read('docs/settings.md');
  expect(page).toContain('| `REQUIRE_PKCE` | `off`; strict: `on` | Every client must send');
  expect(page).toContain('| `REFRESH_TOKEN_TTL` | `2592000` (30 days) |');
  expect(page).toMatch(/`ALWAYS_ISSUE_NEW_REFRESH_TOKEN`.* Only the environment can set it\. \|$/m);
});

/** The examples of docs/command-line.md, as their arguments. */
function examples(): string[][] {
  const blocks = read('docs/command-line.md').matchAll(/^```sh\n(.*?)\n```$/gms);
  const lines = [...blocks]
    .flatMap(([, block = '']) => block.replaceAll('\\\n', ' ').split('\n'))
    .filter((line) => line.includes('cli -- '));
  return lines.map((line) =>
    [...line.slice(line.indexOf('cli -- ') + 7).matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
      ([, double, single, plain]) => double ?? single ?? plain ?? '',
    ),
  );
}

/** The command line with commands that do nothing. */
function idleProgram() {
  const program = buildProgram();
  const idle = (command: typeof program) => {
    if (command.commands.length === 0) command.action(() => {});
    command.commands.forEach(idle);
  };
  idle(program);
  return program;
}

test('the command line reads every example of docs/command-line.md', async () => {
  expect(examples().length).toBeGreaterThan(20);
  for (const args of examples()) {
    const until = args.findIndex((arg) => /^[|<>]/.test(arg));
    await idleProgram().parseAsync(until < 0 ? args : args.slice(0, until), { from: 'user' });
  }
  const wrong = idleProgram().parseAsync(['user', 'list', '--serch', 'x'], { from: 'user' });
  await expect(wrong).rejects.toThrow("unknown option '--serch'");
});

test('docs/command-line.md has every command', () => {
  const page = read('docs/command-line.md');
  for (const command of buildProgram().commands)
    for (const below of command.commands.length > 0 ? command.commands : [command]) {
      const path = below === command ? command.name() : `${command.name()} ${below.name()}`;
      if (below.name() !== 'help') expect(page).toContain(`\n\`${path} ${below.usage()}\`\n`);
    }
});
