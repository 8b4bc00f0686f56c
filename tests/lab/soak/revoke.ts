import { disableClient, enableClient } from '#lib/management/client/clients.ts';
import { credentials, me, post, redeem, refresh } from '../../support/app.ts';
import { takeBackup } from '../../support/backup.ts';
import { beginChains, type Chain } from './load.ts';
import { type Part, type SoakHouse, startHouse } from './part.ts';

const operator = { id: 'cli' };

/**
 * What has been ended is refused by every process, in each request that begins after the
 * acknowledgement.
 */
export const revoke: Part = async ({ databaseUrl, goesOn }) => {
  const houses: SoakHouse[] = [];
  for (let each = 0; each < 3; each += 1) houses.push(await startHouse(databaseUrl));
  const chains = await beginChains(houses[0] as SoakHouse, 4);
  const figures = { revocations: 0, questions: 0 };
  const failures: string[] = [];
  for (let round = 0; goesOn(round); round += 1) {
    const chain = chains[round % chains.length] as Chain;
    const tokens = await tokensOf(chain, houses[0] as SoakHouse);
    // Every process has now seen the token and holds it in memory.
    for (const at of houses) await me(at, tokens.access);
    const way = ways[round % ways.length] as Way;
    await way.end(chain, tokens, houses[round % houses.length] as SoakHouse);
    figures.revocations += 1;
    for (const at of houses) {
      const asked = [await me(at, tokens.access), await refresh(at, tokens.refresh)];
      figures.questions += asked.length;
      for (const { status } of asked)
        if (status === 200) failures.push(`honoured after: ${way.name}`);
    }
    await way.undo?.(chain);
  }
  await Promise.all(houses.map(({ server }) => server.stop()));
  return { figures, failures };
};

type Tokens = { access: string; refresh: string };

async function tokensOf(chain: Chain, at: SoakHouse): Promise<Tokens> {
  const { body } = await redeem(at, chain.client, (await chain.code(at)) ?? '');
  return { access: String(body.access_token), refresh: String(body.refresh_token) };
}

type Way = {
  name: string;
  end: (chain: Chain, tokens: Tokens, at: SoakHouse) => Promise<unknown>;
  undo?: (chain: Chain) => Promise<unknown>;
};

const ways: Way[] = [
  {
    name: 'revocation of the refresh token',
    end: ({ client }, tokens, at) =>
      post(at, '/oauth/revoke', { ...credentials(client), token: tokens.refresh }),
  },
  {
    name: 'client disabled',
    end: ({ client }) => disableClient(client.id, operator, new Date()),
    undo: ({ client }) => enableClient(client.id, operator, new Date()),
  },
];

/**
 * A backup is restored under running servers. What is ended after that is refused by every process.
 */
export const restore: Part = async ({ databaseUrl, goesOn }) => {
  const houses = [await startHouse(databaseUrl), await startHouse(databaseUrl)];
  const figures = { restores: 0, questions: 0 };
  const failures: string[] = [];
  for (let round = 0; goesOn(round); round += 1) {
    const [chain] = await beginChains(houses[0] as SoakHouse, 1);
    if (!chain) break;
    const tokens = await tokensOf(chain, houses[0] as SoakHouse);
    const goBack = await takeBackup(databaseUrl);
    for (let change = 0; change < 3; change += 1) {
      await disableClient(chain.client.id, operator, new Date());
      await enableClient(chain.client.id, operator, new Date());
    }
    for (const at of houses) await me(at, tokens.access);
    await goBack();
    for (const at of houses) {
      figures.questions += 1;
      if ((await me(at, tokens.access)).status !== 200) failures.push('not restored');
    }
    await disableClient(chain.client.id, operator, new Date());
    figures.restores += 1;
    for (const at of houses) {
      const asked = [await me(at, tokens.access), await refresh(at, tokens.refresh)];
      figures.questions += asked.length;
      for (const { status } of asked) if (status === 200) failures.push('honoured after a restore');
    }
  }
  await Promise.all(houses.map(({ server }) => server.stop()));
  return { figures, failures };
};
