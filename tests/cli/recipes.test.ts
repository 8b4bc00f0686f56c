import { expect, test } from 'vitest';
import { showClient } from '#lib/management/client/clients.ts';
import { allRecipes } from '#lib/recipes/list.ts';
import { unique } from '../management/people.ts';
import { onDatabase } from '../support/on-each-database.ts';
import { cli, failure, json } from './command-line.ts';

const create = ['client', 'create', '--recipe'];

onDatabase('sqlite', () => {
  test('recipe list: all recipes, or those that match a search', async () => {
    const listed = (await json(['recipe', 'list'])).recipes as { id: string }[];
    expect(listed.map(({ id }) => id)).toEqual(allRecipes().map(({ id }) => id));
    const found = await json(['recipe', 'list', '--search', 'DASHBOARDS']);
    expect(found.recipes).toEqual([
      expect.objectContaining({ id: 'grafana', kind: 'program' }),
      expect.objectContaining({ id: 'grafana-guarded', kind: 'program' }),
    ]);
    expect((await cli(['recipe', 'list', '--search', 'no such thing'])).stdout).toBe(
      'No recipe.\n',
    );
  });

  test('recipe show: its questions, the client it needs and the text with its gaps', async () => {
    const address = 'address=https://grafana.lan';
    const { code, stdout } = await cli(['recipe', 'show', 'grafana', '--answer', address]);
    expect(code).toBe(0);
    for (const words of ['Where does Grafana run?', 'grafana.lan/login/generic_oauth', 'pitfall'])
      expect(stdout).toContain(words);
    expect(stdout).toContain('client_id = YOUR-CLIENT-ID\nclient_secret = YOUR-CLIENT-SECRET');
    const shown = await json(['recipe', 'show', 'grafana']);
    expect(shown).toMatchObject({ id: 'grafana', questions: [{ name: 'address' }] });
    expect(await failure(['recipe', 'show', 'grafna'])).toContain('Did you mean grafana?');
  });

  test('client create --kind: it starts as in the dashboard, and a guarded site says the kind', async () => {
    const made = async (...args: string[]) => {
      const told = await json(['client', 'create', '--name', 'Notes', ...args]);
      return { told, stored: await showClient(String(told.client_id)) };
    };
    const site = () => `https://${unique('notes')}.example.org`;
    for (const kind of [['--kind', 'guarded'], []]) {
      const { told, stored } = await made(...kind, '--guarded-site', site());
      expect(stored).toMatchObject({
        firstParty: true,
        grants: ['authorization_code'],
        scopes: ['openid', 'profile', 'email', 'groups'],
        recipe: 'kind:guarded',
      });
      expect(told.client_secret ?? null).toBeNull();
    }
    const asking = await made('--guarded-site', site(), '--first-party', 'off');
    expect(asking.stored.firstParty).toBe(false);
    const nas = await made('--kind', 'ldap');
    expect(nas.stored).toMatchObject({ ldap: true, appPasswords: true, recipe: 'kind:ldap' });
    expect(nas.told.client_secret).toMatch(/^gh_/);
    const both = [...create, 'radicale', '--answer', `address=${site()}`, '--kind', 'web'];
    expect(await failure(both)).toContain('leave --kind or --recipe out');
    expect(await failure(['client', 'create', '--name', 'A', '--kind', 'nas'])).toContain(
      'guarded',
    );
  });

  test('client create --recipe: creates what the recipe needs, and prints its text', async () => {
    const address = ['--answer', 'address=https://www.example.org/'];
    const made = await json([...create, 'mod-auth-openidc', '--name', 'Intranet', ...address]);
    expect(await showClient(String(made.client_id))).toMatchObject({
      name: 'Intranet',
      redirectUris: ['https://www.example.org/oidc/callback'],
      postLogoutRedirectUris: ['https://www.example.org/'],
      grants: ['authorization_code', 'refresh_token'],
      scopes: ['openid', 'profile', 'email', 'groups', 'offline_access'],
      sendIss: false,
      recipe: 'mod-auth-openidc?address=https%3A%2F%2Fwww.example.org',
    });
    const { blocks } = made.guide as { blocks: { text: string }[] };
    expect(blocks[0]?.text).toContain(`OIDCClientSecret ${made.client_secret}\n`);

    const text = await cli([...create, 'gitea?address=https://git.lan', '--scope', 'openid email']);
    expect(text.stdout).toMatch(/--key=\S+ \\\n +--secret=gh_cs_\S+/);
    const [, id = ''] = /^client_id +(\S+)$/m.exec(text.stdout) ?? [];
    // An app gets its usual name, and options override the recipe.
    expect(await showClient(id)).toMatchObject({ name: 'Gitea', scopes: ['openid', 'email'] });
  });

  test('client create --recipe: what is missing, wrong or unknown is refused in one line', async () => {
    expect(await failure([...create, 'gitea'])).toMatch(
      /--answer address=….*Where does Gitea run\?/,
    );
    expect(await failure([...create, 'gitea', '--answer', 'address=git.lan'])).toContain(
      'https://git.lan',
    );
    expect(await failure([...create, 'gitea', '--answer', 'port=1'])).toContain(
      'gitea asks address, provider',
    );
    expect(await failure([...create, 'no-such-thing?x=1'])).toContain('recipe list');
    expect(await failure([...create, 'next-js'])).toContain('Did you mean nextjs?');
    expect(await failure([...create, 'express'])).toContain('--name');
    expect(await failure(['client', 'create'])).toContain('--name');
    const { clients } = await json(['client', 'list', '--search', 'express']);
    expect(clients).toEqual([]);
    const { client_id } = await json(['client', 'create', '--name', 'Plain']);
    const noted = ['client', 'update', String(client_id), '--recipe'];
    expect(await failure([...noted, 'gitee?address=https://git.lan'])).toContain(
      'Did you mean gitea?',
    );
  });
});
