import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { databases } from '#lib/tooling/schema.ts';
import { type ApiServer, startApiServer } from '../support/api-server.ts';
import { pythonWith } from './python.ts';

const run = promisify(execFile);
const programs = await pythonWith(['schemathesis==4.32.5']);
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'unsupported_method',
  'ignored_auth',
];

// What a client is told first is ours to choose: a version that is stale, or a body that is wrong.
const settings = `[checks]
negative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 422, 429]
`;

describe.skipIf(!programs).each(databases)('schemathesis, the API on %s', (kind) => {
  let server: ApiServer | undefined;
  afterAll(() => server?.stop());

  test('nothing that it makes up of the document is answered in a way that the document does not have', {
    timeout: 600_000,
  }, async () => {
    server = await startApiServer(kind);
    const { base, key } = server;
    const headers = { Authorization: `Bearer ${key}` };
    const file = resolve(mkdtempSync(resolve(tmpdir(), 'gatehouse-schema-')), 'schemathesis.toml');
    writeFileSync(file, settings);
    const args = [
      ...['--config-file', file, 'run', `${base}/openapi.json`, '--url', base],
      ...['--header', `Authorization: ${headers.Authorization}`],
      ...['--checks', checks.join(','), '--max-examples', '20', '--seed', '7'],
      ...['--workers', '2', '--no-color', '--generation-database', 'none'],
      // It would follow the list of keys to its own key, and delete it.
      ...['--exclude-operation-id', 'api_key_delete'],
    ];
    const { stdout } = await run(resolve(programs ?? '', 'schemathesis'), args, {
      maxBuffer: 50_000_000,
    }).catch((error: { stdout?: string }) => ({ stdout: `FAILED\n${error.stdout}` }));
    expect(stdout).not.toMatch(/^FAILED/);
    expect(server.failures()).toEqual([]);
    // Until the end it was somebody.
    expect((await fetch(`${base}/groups`, { headers })).status).toBe(200);
  });
});
