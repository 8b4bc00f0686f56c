import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { apiRights } from '#lib/management/api-key/rights.ts';
import { closeStore } from '#lib/store/engine/database.ts';
import { databases } from '#lib/tooling/schema.ts';
import { keyWith } from '../support/api.ts';
import { createDatabase, newLogFile } from '../support/database.ts';
import { failuresIn } from '../support/serve-setup.ts';
import { type Server, startServer } from '../support/server.ts';
import { workOn } from '../support/work-on.ts';
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

describe.skipIf(!programs).each(databases)('schemathesis, the API on %s', (kind) => {
  let server: Server | undefined;
  afterAll(async () => {
    await server?.stop();
    await closeStore();
  });

  test('nothing that it makes up of the document is answered in a way that the document does not have', {
    timeout: 600_000,
  }, async () => {
    const databaseUrl = await createDatabase(kind);
    const logFile = newLogFile(`schema-${kind}`);
    server = await startServer({ mount: 'direct', databaseUrl, logFile });
    workOn(databaseUrl);
    const key = await keyWith(apiRights);
    const base = `http://127.0.0.1:${server.port}/api/v1`;
    const args = [
      ...['run', `${base}/openapi.json`, '--url', base],
      ...['--header', `Authorization: Bearer ${key}`],
      ...['--checks', checks.join(','), '--max-examples', '40', '--seed', '7'],
      ...['--workers', '2', '--no-color', '--generation-database', 'none'],
    ];
    const { stdout } = await run(resolve(programs ?? '', 'schemathesis'), args, {
      maxBuffer: 50_000_000,
    }).catch((error: { stdout?: string }) => ({ stdout: `FAILED\n${error.stdout}` }));
    expect(stdout).not.toMatch(/^FAILED/);
    expect(failuresIn(logFile)).toEqual([]);
  });
});
