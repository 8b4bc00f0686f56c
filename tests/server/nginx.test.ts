import { expect, test } from 'vitest';
import { restartHosts } from '../lab/soak/hosts.ts';
import { createDatabase } from '../support/database.ts';
import { haveNginx } from '../support/nginx.ts';

const hasNginx = await haveNginx();
// REQUESTS=10000 makes it long and strict. The machine should do nothing else then.
const long = process.env.REQUESTS;
const requests = Number(long ?? 800);

test.skipIf(!hasNginx)(
  'two servers behind nginx as in docs/several-servers.md restart without a failed request',
  { timeout: 240_000 },
  async () => {
    const { answered, lost, again, retried, reasons, exits } = await restartHosts(
      await createDatabase('postgresql'),
      requests,
      2,
    );
    const told = JSON.stringify({ retried, reasons, again });
    console.info(`nginx: ${answered} requests, ${exits.length} restarts; sent again: ${told}`);
    expect(exits).toEqual([0, 0]);
    // While a busy machine keeps a server from accepting connections, closing its listener can cut
    // off a request.
    if (!long) return expect(lost.length).toBeLessThanOrEqual(2);
    expect(lost).toEqual([]);
    // A request may be sent again only if the first server had not read it.
    expect(Object.keys(reasons).filter((reason) => !/Connection refused/.test(reason))).toEqual([]);
  },
);
