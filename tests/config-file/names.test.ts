import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { exportFile } from '#lib/config-file/export.ts';
import { sayPlan } from '#lib/config-file/say.ts';
import { SecretNames } from '#lib/config-file/secret-names.ts';
import { createApi } from '#lib/management/api/apis.ts';
import { actor, newApp } from '../management/people.ts';
import { createDatabase } from '../support/database.ts';
import { workOn } from '../support/work-on.ts';
import { apply, planFor } from './files.ts';

const now = () => new Date();
const shown = 'https://app.example/cb';

type Exported = {
  apps: Record<string, { name: string; secret?: { env: string } }>;
  apis?: Record<string, { asked_by: string[] }>;
};

async function exported() {
  const { text } = await exportFile({ withHashes: false });
  return { text, content: parse(text) as Exported };
}

describe('the environment variables for client secrets in an exported configuration file', () => {
  const named = (...apps: [name: string, id?: string][]) => {
    const names = new SecretNames();
    return apps.map(([name, id = '019aa00000004a6a461a4f']) => names.next({ id, name }));
  };

  test('are named after the app', () => {
    expect(named(['Grafana'], ['Café №1 – Müller & Söhne'], ['3D prints'], ['_'])).toEqual([
      'APP_GRAFANA_SECRET',
      'APP_CAFE_NO1_MULLER_SOHNE_SECRET',
      'APP_3D_PRINTS_SECRET',
      'APP_019AA00000004A6A461A4F_SECRET',
    ]);
  });

  test('are all different, and none is a variable of the server', () => {
    const apps = Array.from({ length: 300 }, (): [string] => ['Grafana']);
    const names = named(
      ['Server'],
      ...apps,
      ['GRAFANA!', 'x'],
      ['グラファナ', '~'],
      ['Графана', '~'],
    );
    expect(names.slice(0, 4)).toEqual([
      'APP_SERVER_SECRET',
      'APP_GRAFANA_SECRET',
      'APP_GRAFANA_6A461A4F_SECRET',
      'APP_GRAFANA_6A461A4F_2_SECRET',
    ]);
    expect(names.slice(-3)).toEqual([
      'APP_GRAFANA_X_SECRET',
      'APP_CLIENT_SECRET',
      'APP_CLIENT_2_SECRET',
    ]);
    expect(new Set(names).size).toBe(names.length);
    const long = named(['x'.repeat(100), 'y'.repeat(100)], ['x'.repeat(100), 'y'.repeat(100)]);
    for (const name of [...names, ...long]) expect(name).toMatch(/^[A-Z][A-Z0-9_]{0,63}$/);
  });
});

describe('the names of apps in a configuration file and its plan', () => {
  test('a plan shows an app with its name and id at each place', async () => {
    workOn(await createDatabase('sqlite'));
    const { client } = await newApp({ name: 'Grafana', redirectUris: [shown] });
    const { text, content } = await exported();
    expect(content.apps[client.id]?.secret).toEqual({ env: 'APP_GRAFANA_SECRET' });
    const plan = await planFor(
      text.replace('name: Grafana', 'name: Dashboards\n    allowed_users: [nobody@example.org]'),
    );
    expect(sayPlan(plan).split('\n')).toEqual(
      expect.arrayContaining([
        `~ app Dashboards (${client.id})`,
        '    name: Grafana → Dashboards',
        `= app Dashboards (${client.id}): made by hand, kept in the file from now on`,
        `! The secret of Dashboards (${client.id}) stays as it is: APP_GRAFANA_SECRET is not set here.`,
        `! nobody@example.org may use Dashboards (${client.id}) once they are here and the file is applied again.`,
      ]),
    );
    await apply(text);
    expect(sayPlan(await planFor('apps: {}\n'))).toContain(`- app Grafana (${client.id})`);
  });

  test('the apps that may ask for an API are exported with their names as comments, and shown so in the plan', async () => {
    workOn(await createDatabase('sqlite'));
    const { client } = await newApp({ name: 'Grafana # "1"', redirectUris: [shown] });
    const api = { identifier: 'https://api.example/', name: 'Files', askedBy: [client.id] };
    await createApi({ ...api, access: 'listed', scopes: [] }, actor, now());
    const { text, content } = await exported();
    expect(content.apis?.['https://api.example/']?.asked_by).toEqual([client.id]);
    expect(text).toContain(`- ${client.id} # Grafana # "1"`);
    const plan = await planFor(text.replace(/ +asked_by:\n.*\n/, ''));
    expect(sayPlan(plan)).toContain(`asked_by: Grafana # "1" (${client.id}) → none`);
  });

  test('an address for both sign-in and sign-out is exported without leave for plain http', async () => {
    workOn(await createDatabase('sqlite'));
    const addresses = { redirectUris: [shown], postLogoutRedirectUris: [shown] };
    const { client } = await newApp(addresses);
    const http = { redirectUris: ['http://app.example/cb'], allowInsecureRedirectUri: true };
    const { client: plain } = await newApp(http);
    const { apps } = (await exported()).content;
    expect(apps[client.id]).not.toHaveProperty('allow_insecure_redirect_uri');
    expect(apps[plain.id]).toHaveProperty('allow_insecure_redirect_uri', true);
  });

  test('app names with any characters are exported and applied without a change', async () => {
    workOn(await createDatabase('sqlite'));
    const hostile = [
      '- a',
      '# b',
      'c: d',
      '&e',
      '*f',
      '!!js/function',
      '{g',
      '[h',
      '%i',
      '@j',
      '`k',
      '"l',
      "'m",
      'yes',
      'on',
      'null',
      '~',
      '1e3',
      '0x1f',
      '2026-11-23',
      '<<',
      '---',
      '...',
      '? n',
      '| o',
      '> p',
      'Графана',
      'グラファナ',
      'جرافانا',
      '🚀'.repeat(50),
      'x'.repeat(100),
      'a  b',
      'tail #',
      'same',
      'same',
      'Same',
      '$(id)',
      '~/$HOME',
      '\u2028line',
    ];
    for (const name of hostile) await newApp({ name, redirectUris: [shown] });
    // In the order of their ids, by which apps of one millisecond are listed.
    await newApp({ id: '1e3', name: '1e3', redirectUris: [shown] });
    await newApp({ id: 'null', name: 'null', redirectUris: [shown] });
    const { text, content } = await exported();
    const apps = Object.values(content.apps);
    expect(apps.map(({ name }) => name)).toEqual([
      ...hostile.map((name) => name.trim()),
      '1e3',
      'null',
    ]);
    const variables = apps.map(({ secret }) => secret?.env);
    expect(new Set(variables).size).toBe(apps.length);
    expect((await planFor(text)).changes).toEqual([]);
    await apply(text);
    expect((await exported()).text).toBe(text);
    for (const line of sayPlan(await planFor('apps: {}\n')).split('\n'))
      expect(line).toMatch(/^(- app (.+ \([0-9a-f]{32}\)|1e3|null)$|\d+ to remove)/);
  });

  test('text from the file cannot make a line of its own in the plan', async () => {
    workOn(await createDatabase('sqlite'));
    const text = `apps:\n  one: {name: One, type: public, redirect_uris: ["${shown}"], description: "Mine\\n- app Bank (bank)", allowed_users: ["x\\n- app Bank (bank)"]}\n`;
    const said = sayPlan(await planFor(text));
    expect(said).toContain('Mine - app Bank (bank)');
    expect(said).not.toMatch(/^- app/m);
  });
});
