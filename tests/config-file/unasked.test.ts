import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { applyConfigFile } from '#lib/config-file/at-start.ts';
import { exportFile } from '#lib/config-file/export.ts';
import { showAccess } from '#lib/management/client/access.ts';
import { showClient } from '#lib/management/client/clients.ts';
import { showGroup } from '#lib/management/group/groups.ts';
import { addMembers } from '#lib/management/group/members.ts';
import { removeSecret, rotateSecret } from '#lib/management/secret/secrets.ts';
import { createUser } from '#lib/management/user/users.ts';
import { digest } from '#lib/oauth/secrets.ts';
import { read } from '#lib/store/engine/database.ts';
import { readSettings } from '#lib/store/settings.ts';
import { actor, newPerson, password, unique } from '../management/people.ts';
import { forgetMade } from '../support/made.ts';
import { onOneForChange } from '../support/on-each-database.ts';
import { apply, faultsOf, folder, planFor, secretFor } from './files.ts';

const now = () => new Date();
const remembered = { ...process.env };
afterAll(() => {
  for (const name of ['CONFIG_FILE', 'CONFIG_FILE_REMOVES']) {
    if (remembered[name] === undefined) delete process.env[name];
    else process.env[name] = remembered[name];
  }
});

/** Applies a text like a server that starts with it. */
async function start(
  text: string,
  { removes = '', env = {} }: { removes?: string; env?: Record<string, string> } = {},
): Promise<void> {
  const file = join(folder, `${unique('start')}.yaml`);
  writeFileSync(file, text);
  Object.assign(process.env, { CONFIG_FILE: file, CONFIG_FILE_REMOVES: removes });
  forgetMade('config');
  await applyConfigFile(env);
}

const open = (id: string, more = '') =>
  `  ${id}: {name: ${id}, type: public, redirect_uris: [https://${id}.example/cb]${more}}\n`;
const apis = (scopes: string) =>
  `apis:\n  https://files.example/api: {name: Files, scopes: {${scopes}}}\n`;
const both = '"files:read": {description: Read}, "files:write": {description: Write}';

onOneForChange(() => {
  test('a start with CONFIG_FILE removes nothing without CONFIG_FILE_REMOVES, and says how to continue', async () => {
    const whole = `settings: {CODE_TTL: 33}\ngroups:\n  staff:\napps:\n${open('one')}${open('two')}${apis(both)}`;
    await start(whole);
    const { username } = await newPerson();
    await addMembers((await showGroup('staff')).id, [username], actor, now());
    const less = `apps:\n${open('one')}${apis('"files:read": {description: Read}')}`;
    const refused = start(less);
    await expect(refused).rejects.toThrow(
      /would remove app two, setting CODE_TTL, group staff, scope files:write of API https:\/\/files\.example\/api\. .*npm run cli -- apply .*CONFIG_FILE_REMOVES=on/,
    );
    expect((await showClient('two')).id).toBe('two');
    expect((await showGroup('staff')).name).toBe('staff');
    expect((await readSettings()).codeTtl).toBe(33);

    await start(`${whole}scopes:\n  more: {description: More}\n`);
    await start(less, { removes: 'on' });
    await expect(showClient('two')).rejects.toThrow('no client');
    expect((await readSettings()).codeTtl).toBe(30);
    await apply('groups: {}\n');
  });

  test.each([
    ['nothing', ''],
    ['a comment', '# all of it\n'],
    ['a schema alone', '$schema: https://id.example/docs/gatehouse.schema.json\n'],
    ['names of sections', 'apps:\ngroups:\n'],
  ])('a configuration file with only %s is refused, at a start and by apply', async (_, text) => {
    await apply('groups:\n  kept:\n');
    await expect(start(text, { removes: 'on' })).rejects.toThrow('There is no section');
    expect((await faultsOf(text)).join()).toContain('apps: {}');
    expect((await showGroup('kept')).name).toBe('kept');
    await apply('apps: {}\n');
    expect(await read('SELECT * FROM file_owned', [])).toEqual([]);
  });

  test('a start with CONFIG_FILE gives no access by a username or unverified email that a user took later', async () => {
    const squatter = unique('later');
    const member = await newPerson();
    const text = (users: string[]) =>
      `apps:\n${open('closed', `, allowed_users: [${users.join(', ')}]`)}`;
    await apply(text([member.username]));
    const { id } = await newPerson({ username: squatter });
    await start(text([member.username, squatter]));
    const people = async () => (await showAccess('closed')).people.map((person) => person.id);
    expect(await people()).toEqual([member.id]);

    const address = `${unique('unproved')}@example.org`;
    const unproved = await newPerson({ email: address });
    const proved = await createUser(
      { username: unique('p'), email: `${unique('p')}@example.org`, password, emailVerified: true },
      actor,
      now(),
    );
    const named = text([member.username, address, proved.email]);
    await start(named);
    expect((await people()).toSorted()).toEqual([member.id, proved.id].toSorted());

    const asked = text([member.username, squatter, proved.email]);
    const [change] = (await planFor(asked)).changes;
    expect(change?.changes).toEqual([{ what: 'allowed_users', from: null, to: squatter }]);
    await apply(asked);
    expect(await people()).toContain(id);
    expect(await people()).not.toContain(unproved.id);

    const { text: exported } = await exportFile({ withHashes: false });
    expect(exported).toContain(proved.email);
    expect(exported).not.toContain(proved.username);
    expect(exported).toContain(member.username);
    await apply('apps: {}\n');
  });

  test('a client secret in the configuration file that was revoked by hand is not restored', async () => {
    const [id, env] = [unique('keys'), { LEAKED: secretFor(unique('leaked')) }];
    const app = (secret: string) =>
      `apps:\n  ${id}: {name: Keys, redirect_uris: [https://keys.example/cb], secret: ${secret}}\n`;
    const hashes = async () => (await showClient(id)).secrets.map(({ hash }) => hash);
    await start(app('{env: LEAKED}'), { env });
    const { client } = await rotateSecret(id, { keepOld: false }, actor, now());
    const [mine = ''] = client.secrets.map(({ hash }) => hash);
    await start(app('{env: LEAKED}'), { env });
    expect(await hashes()).toEqual([mine]);
    const { plan } = await apply(app('{env: LEAKED}'), env);
    expect(plan.notes.join()).toContain(
      `A secret of Keys (${id}) that the file names was ended by hand`,
    );
    expect(await hashes()).toEqual([mine]);
    const next = secretFor(unique('next'));
    await apply(app('[{env: LEAKED}, {env: NEXT}]'), { ...env, NEXT: next });
    expect(await hashes()).toEqual([digest(next)]);

    await rotateSecret(id, { keepOld: true }, actor, now());
    await removeSecret(id, digest(next), actor, now());
    const left = await hashes();
    await start(app('{env: NEXT}'), { env: { NEXT: next } });
    expect(await hashes()).toEqual(left);
    await apply('apps: {}\n');
    expect(await faultsOf(app('{env: NEXT}'), { NEXT: next })).toEqual([
      expect.stringContaining('ended by hand'),
    ]);
  });
});
