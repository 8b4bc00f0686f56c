import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { onSide } from '#lib/backup/open-side.ts';
import { databases } from '#lib/tooling/schema.ts';
import { cli, failure, folder, inOwnProcess, json } from '../cli/command-line.ts';
import { createDatabase } from '../support/database.ts';
import { workOn } from '../support/work-on.ts';
import { secretFor } from './files.ts';

/** How often an apply is killed; KILLS=50 kills more often. */
const kills = Number(process.env.KILLS ?? 5);
const root = resolve(import.meta.dirname, '../..');
const put = (name: string, text: string) => writeFileSync(`${folder}/${name}`, text);

const [controlC, controlD] = ['\x03', '\x04'];

/** Runs a command in a terminal made by util-linux's script, and types something when it asks. */
async function inTerminal(command: string, question: string, said: string) {
  const program = `${process.execPath} ${resolve(root, 'lib/cli.ts')} ${command}`;
  const env = { ...process.env, INIT_CWD: undefined, NODE_ENV: 'production' as const };
  const child = spawn('script', ['-qec', program, '/dev/null'], { cwd: folder, env });
  let shown = '';
  child.stdout.on('data', (chunk) => {
    const asked = shown.includes(question);
    shown += chunk;
    if (!asked && shown.includes(question)) child.stdin.write(said);
  });
  const [code] = await once(child, 'close');
  return { code, shown };
}

const count = (databaseUrl: string, table: string) =>
  onSide(databaseUrl, 'read', (side) => side.number(`SELECT count(*) FROM ${table}`));

const text = `apps:
  wiki:
    name: Wiki
    redirect_uris: [https://wiki.example.org/callback]
    secret: {env: WIKI_SECRET}
`;

describe.each(databases)('the commands for a configuration file on %s', (kind) => {
  beforeAll(async () => {
    workOn(await createDatabase(kind));
    process.env.WIKI_SECRET = secretFor('wiki');
  });

  test('apply --dry-run shows the plan, and its exit code says whether anything would change', async () => {
    put('gatehouse.yaml', text);
    const dry = await cli(['apply', '--dry-run']);
    expect(dry).toMatchObject({ code: 3, stderr: '' });
    expect(dry.stdout).toContain('+ app Wiki (wiki)\n    name: Wiki');
    expect(dry.stdout).toContain('1 to create.\nNothing was changed yet.');
    expect(await failure(['apply'])).toContain('Nothing was changed: look at what would happen');
    const done = await cli(['apply', '--yes']);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toContain('Done.');
    expect(done.stdout + dry.stdout).not.toContain(secretFor('wiki'));
    expect(await json(['apply', '--dry-run'])).toMatchObject({
      changes: [],
      takes_over: [],
      applied: false,
    });
    const read = await inOwnProcess(['apply', '-', '--yes', '--json'], text);
    expect(JSON.parse(read.stdout)).toMatchObject({ changes: [] });
  });

  test('apply in a terminal shows the plan and asks; only the answer yes applies it', async () => {
    put('asked.yaml', text.replace('wiki:', 'asked:'));
    for (const said of ['no\r', '\r', controlD, controlC]) {
      const { code, shown } = await inTerminal('apply asked.yaml', 'Type yes: ', said);
      expect(shown).toMatch(/\+ app Wiki \(asked\).*Type yes: .*(Nothing was changed|Aborted)/s);
      expect(code).toBe(1);
    }
    expect((await cli(['apply', 'asked.yaml', '--dry-run'])).code).toBe(3);
    const { code, shown } = await inTerminal('apply asked.yaml', 'Type yes: ', 'yes\r');
    expect([code, shown]).toEqual([0, expect.stringContaining('Done.')]);
    expect(await json(['apply', 'asked.yaml', '--dry-run'])).toMatchObject({ changes: [] });
  });

  test('export can be applied without a change, and does not overwrite an existing file', async () => {
    put('first.yaml', text);
    await json(['apply', 'first.yaml', '--yes']);
    expect(await json(['export', `exported-${kind}.yaml`])).toMatchObject({ pictures: [] });
    expect((await cli(['export', '-'])).stdout).toBe((await cli(['export'])).stdout);
    expect(await failure(['backup', '-'])).toContain('A file of that name is ./-');
    expect((await cli(['export'])).stdout.trim()).toBe(
      readFileSync(`${folder}/exported-${kind}.yaml`, 'utf8').trim(),
    );
    expect(await json(['apply', `exported-${kind}.yaml`, '--dry-run'])).toMatchObject({
      changes: [],
    });
    expect(await failure(['export', `exported-${kind}.yaml`])).toContain('exists already');
  });

  test('apply reports each fault in a line of its own, with exit code 1', async () => {
    put('wrong.yaml', 'apps:\n  a: {nam: A}\n  b: {name: B, secret: hunter2}\n');
    const { code, stdout, stderr } = await cli(['apply', 'wrong.yaml', '--yes']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trim().split('\n')).toHaveLength(3);
    expect(stderr).toContain('wrong.yaml:2: apps.a.nam: Unknown field. Did you mean name?');
    expect(stderr).not.toContain('hunter2');
    expect(await failure(['apply', 'nowhere.yaml'])).toContain('There is no file');
  });

  test('apply --dry-run says so if it only takes things over', async () => {
    await json(['group', 'create', 'by-hand']);
    put('taken.yaml', `${text}groups:\n  by-hand:\n`);
    const dry = await cli(['apply', 'taken.yaml', '--dry-run']);
    expect(dry.code).toBe(3);
    expect(dry.stdout).toContain('1 to take over.\nNothing was changed yet.');
    expect(dry.stdout).not.toContain('Nothing to change.');
  });
});

const many = 40;
const large = (name: string) =>
  `groups:\n${Array.from({ length: many }, (_, at) => `  ${name}-${at}: {description: ${name}}\n`).join('')}`;

/** Runs a command and kills it after some milliseconds. Returns whether it was already done. */
function killed(args: string[], after: number): Promise<boolean> {
  return new Promise((settle) => {
    const child = spawn(process.execPath, [resolve(root, 'lib/cli.ts'), ...args], {
      cwd: folder,
      env: { ...process.env, NODE_ENV: 'production', INIT_CWD: folder },
      stdio: 'ignore',
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), after);
    child.on('close', (code) => {
      clearTimeout(timer);
      settle(code === 0);
    });
  });
}

test.each(databases)(
  'an apply of the configuration file that is killed on %s has happened completely or not at all',
  async (kind) => {
    const databaseUrl = await createDatabase(kind);
    workOn(databaseUrl);
    put('large.yaml', large('large'));
    put('none.yaml', 'apps: {}\n');
    await json(['apply', 'none.yaml', '--yes']);
    const begun = performance.now();
    expect((await inOwnProcess(['apply', 'large.yaml', '--yes'])).code).toBe(0);
    const whole = performance.now() - begun;
    let halfway = 0;
    for (let at = 0; at < kills; at += 1) {
      await json(['apply', 'none.yaml', '--yes']);
      expect(await count(databaseUrl, 'user_groups')).toBe(0);
      const done = await killed(
        ['apply', 'large.yaml', '--yes'],
        whole * (0.4 + (0.6 * (at + 1)) / (kills + 1)),
      );
      const [groups, kept, events] = await Promise.all([
        count(databaseUrl, 'user_groups'),
        count(databaseUrl, 'file_owned'),
        count(databaseUrl, `audit_events WHERE type = 'group.created'`),
      ]);
      expect(done ? [many] : [0, many]).toContain(groups);
      expect(kept).toBe(groups);
      expect(events % many).toBe(0);
      if (!done) halfway += 1;
    }
    if (kills > 5)
      process.stdout.write(`${kind}: ${halfway} of ${kills} were killed before their end\n`);
  },
);
