import { expect, test } from 'vitest';
import { clusterWith, findCluster } from './cluster.ts';

// The short form of `npm run soak -- --only cluster`, which runs for as long as one likes. Patroni
// and HAProxy are set up as docs/several-servers.md says.

test('three PostgreSQL under Patroni: what was acknowledged holds whatever happens to the primary', {
  timeout: 600_000,
}, async ({ skip }) => {
  const found = await findCluster();
  if ('missing' in found) skip(`skipped, because ${found.missing}`);
  // Other test files run at the same time, all on few processors.
  const part = clusterWith({ rate: 200, patience: 4 });
  const { figures, failures } = await part({ databaseUrl: '', goesOn: (round) => round < 6 });
  console.info(JSON.stringify(figures));
  expect(failures).toEqual([]);
});
