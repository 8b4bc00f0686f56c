import { expect, test } from 'vitest';
import { restartHosts } from '../soak/hosts.ts';
import { createDatabase } from '../support/database.ts';
import { haveNginx } from '../support/nginx.ts';

const hasNginx = await haveNginx();
// REQUESTS=10000 makes it long.
const requests = Number(process.env.REQUESTS ?? 800);

test.skipIf(!hasNginx)(
  'two servers behind nginx, as docs/several-servers.md has it, are restarted without a failed request',
  { timeout: 240_000 },
  async () => {
    const { answered, lost, again, retried, reasons, exits } = await restartHosts(
      await createDatabase('postgresql'),
      requests,
      2,
    );
    const told = JSON.stringify({ retried, reasons, again });
    console.info(`nginx: ${answered} requests, ${exits.length} restarts; sent again: ${told}`);
    expect(lost).toEqual([]);
    expect(exits).toEqual([0, 0]);
    // What was sent again had not been read by the one that it was sent to first.
    expect(Object.keys(reasons).filter((reason) => !/Connection refused/.test(reason))).toEqual([]);
  },
);
