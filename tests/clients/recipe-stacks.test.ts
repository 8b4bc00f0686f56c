import { expect, test } from 'vitest';
import { allRecipes } from '#lib/recipes/list.ts';
import { Endings } from './stacks/endings.ts';
import { openGatedServer } from './stacks/gate.ts';
import type { Stack } from './stacks/stack.ts';
import { stacks } from './stacks/table.ts';
import { tryWholeLife } from './web-app.ts';

// The texts of the recipes for stacks, exactly as people paste them, run beside this server.
const server = await openGatedServer();

test('each recipe of a stack has a row in the table, which runs it or says why not', () => {
  const known = allRecipes()
    .filter(({ kind }) => kind === 'stack')
    .map(({ id }) => id);
  expect(Object.keys(stacks).sort()).toEqual(known.sort());
});

const rows = Object.entries(stacks).filter(
  (row): row is [string, Stack] => typeof row[1] === 'object',
);

// Some compile their libraries on the first run.
for (const [id, stack] of rows)
  test.skipIf(!stack.start)(
    `the recipe for ${id}: forged answers, no PKCE, a denial, sessions of others, an ended access, a refused refresh, a server that is away, a person who is gone`,
    { timeout: 560_000 },
    async () => {
      if (!stack.start) return;
      const app = await stack.start(server.issuer);
      const endings = new Endings(id, server, app, stack);
      await endings.forgedAnswer();
      if (!stack.withoutPkce) await endings.requestWithoutPkce();
      await endings.denial();
      await endings.ownSession();
      await endings.endedAccess();
      await endings.letTokensExpire();
      await endings.refusedRefresh();
      await endings.absence();
      await endings.goneForGood();
      if (!stack.isAskedAtSignOut) await endings.signOut();
      if (stack.asks) await tryWholeLife(server, app, stack.asks);
    },
  );
