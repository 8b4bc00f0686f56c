import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { openServer } from '../support/open-server.ts';
import { newClient } from '../support/seed.ts';
import { converse } from './converse.ts';
import { allowAt, newPerson } from './visit.ts';

// Python clients as Debian packages them. The tests of those that are not installed are skipped.
const clients = [
  {
    module: 'authlib',
    script: 'tests/clients/debian/authlib_client.py',
    package: 'python3-authlib',
  },
  {
    module: 'requests_oauthlib',
    script: 'tests/clients/debian/requests_oauthlib_client.py',
    package: 'python3-requests-oauthlib',
  },
];

/** A Python that has this module: Debian's own, or the first on the path. */
const pythonWith = (module: string) =>
  ['/usr/bin/python3', 'python3'].find(
    (python) => spawnSync(python, ['-c', `import ${module}`]).status === 0,
  );

const server = await openServer();

describe('clients from Debian packages', () => {
  for (const { module, script, package: name } of clients) {
    const python = pythonWith(module) ?? '';
    test.skipIf(!python).each(['client_secret_basic', 'client_secret_post'])(
      `${name}: signs in, with %s`,
      async (method) => {
        const { user, person } = await newPerson(server);
        const client = await newClient();
        const env = {
          ISSUER: server.issuer,
          CLIENT_ID: client.id,
          CLIENT_SECRET: client.secret,
          REDIRECT_URI: client.redirectUri,
          AUTH_METHOD: method,
        };
        const told = await converse({ command: python, args: [script], env }, (url) =>
          allowAt(person, url),
        );
        expect(told).toMatchObject({
          sub: user.id,
          username: user.username,
          revoked: 200,
          after: 401,
        });
      },
    );
  }
});
