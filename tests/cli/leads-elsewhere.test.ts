import { writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { databases } from '#lib/tooling/schema.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { startServer } from '../support/server.ts';
import { workOn } from '../support/work-on.ts';
import { cli, folder } from './command-line.ts';

const running = 'https://id.example.com';
const own = 'http://localhost:3000';

describe.each(databases)('commands that print links, beside a server on %s', (kind) => {
  beforeAll(async () => {
    const databaseUrl = await createDatabase(kind);
    workOn(databaseUrl);
    delete process.env.ISSUER;
    delete process.env.PORT;
    expect((await cli(['user', 'invite', '--email', 'first@example.org'])).stderr).toBe('');
    const logFile = newLogFile('leads');
    const server = await startServer({
      mount: 'direct',
      databaseUrl,
      logFile,
      env: { ISSUER: running },
    });
    await server.stop();
  });

  const apply = 'invitations: [{email: applied@example.org}]\n';
  const recipe = ['client', 'create', '--recipe', 'gitea', '--name', 'Git'];
  test.each<[string, string[]]>([
    ['setup-link', ['setup-link']],
    ['user invite', ['user', 'invite', '--email', 'grace@example.org']],
    ['apply', ['apply', 'invite.yaml', '--yes']],
    ['client create', [...recipe, '--answer', 'address=https://git.example.org']],
    ['export', ['export']],
  ])('%s warns that its links lead to another address than the server’s', async (_, args) => {
    writeFileSync(`${folder}/invite.yaml`, apply);
    const { code, stdout, stderr } = await cli([...args, '--json']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^WARNING: [^\n]+ Set ISSUER=https:\/\/id\.example\.com [^\n]+\n$/,
      ),
    });
    expect(stderr).toContain(own);
    expect(JSON.stringify(JSON.parse(stdout))).toContain(own);
  });

  test('are silent where both addresses are the same, as are commands without links', async () => {
    expect((await cli(['user', 'invitations'])).stderr).toBe('');
    process.env.ISSUER = running;
    const { stdout, stderr } = await cli(['setup-link']);
    expect({ stderr, leads: stdout.startsWith(`${running}/setup?token=`) }).toEqual({
      stderr: '',
      leads: true,
    });
    delete process.env.ISSUER;
  });
});
