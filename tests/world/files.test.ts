import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { importActs } from '#lib/import/acts.ts';
import { guessColumns } from '#lib/import/columns.ts';
import { decodeList } from '#lib/import/decode.ts';
import { judgeLines } from '#lib/import/judge.ts';
import { judgeArrivals } from '#lib/import/judge-arrivals.ts';
import { readLines } from '#lib/import/lines.ts';
import { readArrivals, withHashes } from '#lib/import/move.ts';
import { actingAs, type By, perform } from '#lib/management/act.ts';
import type { Sentence } from '#lib/messages/sentence.ts';
import { sentenceIn } from '#lib/messages/text.ts';
import { write } from '#lib/store/engine/database.ts';
import { cli, folder } from '../cli/command-line.ts';
import { actor } from '../management/people.ts';
import { createDatabase } from '../support/database.ts';
import { workOn } from '../support/work-on.ts';
import { filesThatUse } from './doors.ts';
import { readable, shutOutLines, tables, unreadable } from './files.ts';

const by: By = {
  ...actingAs('admin', { ...actor, id: 'cli' }),
  now: new Date(),
  demandFresh: () => {},
};

beforeAll(async () => {
  const url = await createDatabase('sqlite');
  workOn(url);
  Object.assign(process.env, {
    DATABASE_URL: url,
    SERVER_SECRET: 's'.repeat(32),
    BCRYPT_COST: '4',
    REGISTRATION: 'invitation',
    MAIL_URL: 'smtp://127.0.0.1:1',
  });
});

describe('files as programs write them', () => {
  test.each(readable)(
    '$from: $what ($source)',
    async ({ from, bytes, people, apps = [], realm }) => {
      const text = decodeList(Buffer.from(bytes));
      const judged = await judgeArrivals(
        await withHashes(readArrivals({ from, text, realm })),
        new Date(),
      );
      expect(judged.wrong).toEqual([]);
      const told = judged.coming.map(({ email, passwordHash, groups, disabled, ...said }) => ({
        email,
        username: said.username,
        name: said.name,
        password: passwordHash !== null,
        groups,
        disabled,
      }));
      expect(told).toMatchObject(people);
      expect(told).toHaveLength(people.length);
      const came = judged.clients.coming.map(({ id, secretHash, settings, notes }) => ({
        id,
        secret: secretHash !== null,
        scopes: settings.scopes,
        name: settings.name,
        uris: settings.redirectUris,
        notes: notes.map(({ key }) => key),
      }));
      expect(came).toMatchObject(apps);
    },
  );

  test.each(unreadable)('$from: $what is refused with the reason', ({ from, text, says }) => {
    try {
      readArrivals({ from, text });
      expect.unreachable();
    } catch (error) {
      expect(sentenceIn('en', (error as { said: Sentence }).said)).toMatch(says);
    }
  });

  test.each(tables)('a list of people to invite: $what ($source)', async ({ bytes, people }) => {
    const lines = readLines(decodeList(Buffer.from(bytes)));
    const columns = await guessColumns(lines);
    const plan = await judgeLines(lines, columns, actor, new Date());
    expect(plan.wrong).toEqual([]);
    expect(plan.invite.map(({ email }) => email)).toEqual(people.map(({ email }) => email));
  });

  test.each(tables)(
    'the act that reads an uploaded list: $what ($source)',
    async ({ bytes, people }) => {
      await write('DELETE FROM import_drafts', {});
      const list = decodeList(Buffer.from(bytes));
      const asked = await perform(importActs.read, { list }, by);
      expect([asked.invite, asked.wrong]).toEqual([people.length, 0]);
    },
  );

  test('the command reads the same lists of people to invite', async () => {
    for (const [at, { what, bytes, people }] of tables.entries()) {
      await write('DELETE FROM import_drafts', {});
      const name = resolve(folder, `list-${at}`);
      writeFileSync(name, Buffer.from(bytes));
      const { stdout, stderr } = await cli(['user', 'read-list', '--file', name, '--json']);
      expect([what, stderr]).toEqual([what, '']);
      const { invite, wrong } = JSON.parse(stdout);
      expect([what, invite, wrong]).toEqual([what, people.length, 0]);
    }
  });

  test('bytes of lists and files become text in one place', () => {
    expect(filesThatUse('decodeList', 'lib/import/decode.ts')).toEqual([
      'app/admin/people/import/actions.ts',
      'lib/cli/imports.ts',
      'lib/cli/move.ts',
    ]);
  });

  test.each(shutOutLines)(
    'who was shut out is not invited, and comes disabled: %j',
    async (text) => {
      const lines = readLines(text);
      const plan = await judgeLines(lines, await guessColumns(lines), actor, new Date());
      expect(plan.wrong.map(({ why }) => why.key)).toEqual(['refused.import.shutOut']);
      const { coming } = await judgeArrivals(readArrivals({ from: 'csv', text }), new Date());
      expect(coming).toMatchObject([{ email: 'ann@example.org', disabled: true }]);
    },
  );

  test('two columns of one meaning are refused by a list too, naming both', async () => {
    const lines = readLines('email,mail,name\nann@example.org,other@example.org,Lee\n');
    await expect(guessColumns(lines)).rejects.toThrow('email, mail');
  });

  test('a realm whose name is a variable has no old issuer', () => {
    const text = JSON.stringify({
      realm: '{{ .Env.KEYCLOAK_REALM }}',
      users: [{ email: 'a@x.org' }],
    });
    expect(readArrivals({ from: 'keycloak', text }).oldIssuer).toBeUndefined();
  });

  test('the command reads the same files', async () => {
    for (const [at, { from, bytes, people, realm }] of readable.entries()) {
      const name = `world-${at}`;
      writeFileSync(resolve(folder, name), Buffer.from(bytes));
      const asked = [
        'import',
        name,
        '--from',
        from,
        '--dry-run',
        ...(realm ? ['--realm', realm] : []),
      ];
      const { stdout, stderr } = await cli([...asked, '--json']);
      expect(stderr).toBe('');
      expect((JSON.parse(stdout).people as unknown[]).length, name).toBe(people.length);
    }
  });
});
