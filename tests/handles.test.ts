import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { databases } from '#lib/tooling/schema.ts';
import { createDatabase } from './support/database.ts';
import { sharedEnv } from './support/shared-env.ts';

// DESIGN: server.ts and Next's bundles are two module graphs in one process, and they share only
// globalThis.
test.each(databases)(
  'our server and the bundles of Next.js share the same handles, on %s',
  async (kind) => {
    const env = {
      ...process.env,
      ...sharedEnv,
      NODE_ENV: 'production' as const,
      LOG_LEVEL: 'silent',
      DATABASE_URL: await createDatabase(kind),
    };
    const child = fork(new URL('./support/both-mounts.ts', import.meta.url), [], { env });
    const [[seen]] = await Promise.all([once(child, 'message'), once(child, 'exit')]);
    expect(seen).toEqual({
      // A read by a route handler and one by a page went through the connection that this side made.
      readsByRouteHandler: true,
      readsByPage: true,
      // Next's side shows what this side set.
      issuerOnPage: true,
      // Each handle was made once: Next's side neither replaced one nor made one again.
      replaced: [],
    });
  },
);
