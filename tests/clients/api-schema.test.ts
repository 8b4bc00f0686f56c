import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey } from '#lib/management/api-key/keys.ts';
import { apiNouns, apiRights } from '#lib/management/api-key/rights.ts';
import { databases } from '#lib/tooling/schema.ts';
import { actor, newApp, newPerson, unique } from '../management/people.ts';
import { keyWith } from '../support/api.ts';
import { type ApiServer, startApiServer } from '../support/api-server.ts';
import { pythonWith } from './python.ts';

const run = promisify(execFile);
const programs = await pythonWith(['schemathesis==4.32.5']);

/**
 * For a long run: `SCHEMATHESIS_ROUNDS=20 npm test -- clients/api-schema`. Each round has its own
 * seed.
 */
const rounds = Array.from({ length: Number(process.env.SCHEMATHESIS_ROUNDS ?? 1) }, (_, at) => at);
const examples = '12';
const excluded = 'positive_data_acceptance,ensure_resource_availability';

const folder = mkdtempSync(resolve(tmpdir(), 'gatehouse-schema-'));
const [settings, hooks] = [resolve(folder, 'schemathesis.toml'), resolve(folder, 'hooks.py')];
// If a request has both a stale version and a wrong body, we choose which is reported first.
const refused = [400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 422, 429];
writeFileSync(settings, `[checks]\nnegative_data_rejection.expected-statuses = [${refused}]\n`);
// It would find the key that it uses in the list of keys, and delete it.
writeFileSync(
  hooks,
  `import os
import schemathesis

@schemathesis.hook
def filter_case(context, case):
    return case.path_parameters.get("id") != os.environ["OWN_KEY"]
`,
);

describe.skipIf(!programs).each(databases)('schemathesis on the API document, on %s', (kind) => {
  describe.each(rounds)('with seed %i', (seed) => {
    let server: ApiServer;
    beforeAll(async () => {
      server = await startApiServer(kind);
      await seedAll(server);
    });
    afterAll(() => server.stop());

    test.each(apiNouns)(
      '%s: no call fails, and each answer is as the document says',
      {
        timeout: 600_000,
      },
      async (noun) => {
        const { id, secret } = await createApiKey(
          { name: unique(noun), rights: apiRights },
          actor,
          new Date(),
        );
        const { base } = server;
        const headers = { Authorization: `Bearer ${secret}` };
        const args = [
          '--config-file',
          settings,
          'run',
          `${base}/openapi.json`,
          '--url',
          base,
          '--header',
          `Authorization: ${headers.Authorization}`,
          '--include-tag',
          noun,
          // A schema cannot express every rule, such as which names are taken. And what a plan
          // creates does not exist afterwards.
          '--checks',
          'all',
          '--exclude-checks',
          excluded,
          '--max-examples',
          examples,
          '--seed',
          String(seed),
          '--workers',
          '1',
          '--no-color',
          '--generation-database',
          'none',
          '--continue-on-failure',
        ];
        const env = { ...process.env, SCHEMATHESIS_HOOKS: hooks, OWN_KEY: id };
        const options = { maxBuffer: 50_000_000, env, cwd: folder };
        const { code = 0, stdout } = (await run(
          resolve(programs ?? '', 'schemathesis'),
          args,
          options,
        ).catch((error: { code: number; stdout: string }) => error)) as {
          code?: number;
          stdout: string;
        };
        expect(code, stdout).toBe(0);
        expect(server.failures()).toEqual([]);
        // To the end, its key was valid and below the limit of calls.
        expect((await fetch(`${base}/groups`, { headers })).status).toBe(200);
      },
    );
  });
});

/** Creates one thing of each noun, for operations that need something in the lists. */
async function seedAll({ base, key }: ApiServer): Promise<void> {
  const person = await newPerson();
  const { client } = await newApp();
  await keyWith(['group:read']);
  const post = async (path: string, json: object) => {
    const response = await fetch(base + path, {
      method: 'POST',
      body: JSON.stringify(json),
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    });
    expect([path, response.status]).toEqual([path, expect.toBeOneOf([200, 201])]);
    return (await response.json()) as { id: string };
  };
  const group = await post('/groups', { name: unique('group') });
  await post(`/groups/${group.id}/members/add`, { people: [person.id] });
  await post('/scopes', { name: unique('scope'), description: 'x' });
  await post('/fields', { name: unique('field'), label: 'Label' });
  const identifier = `https://${unique('api')}.example/`;
  await post('/apis', { identifier, name: 'Files', clients: [client.id] });
  await post('/registration-tokens', { name: 'Build' });
  await post(`/hosts/${unique('host')}.example/block`, {});
}
