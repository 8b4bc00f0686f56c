import { disableClient, enableClient } from '#lib/management/client/clients.ts';
import { credentials, me, post, redeem, refresh } from '../../support/app.ts';
import { takeBackup } from '../../support/backup.ts';
import { beginChains, type Chain } from './load.ts';
import { type Part, type SoakServer, startSoakServer } from './part.ts';

const operator = { id: 'cli' };

/**
 * What has been ended is refused by every process, in each request that begins after the
 * acknowledgement.
 */
export const revoke: Part = async ({ databaseUrl, goesOn }) => {
  const servers: SoakServer[] = [];
  for (let each = 0; each < 3; each += 1) servers.push(await startSoakServer(databaseUrl));
  const chains = await beginChains(servers[0] as SoakServer, 4);
  const figures = { revocations: 0, questions: 0 };
  const failures: string[] = [];
  for (let round = 0; goesOn(round); round += 1) {
    const chain = chains[round % chains.length] as Chain;
    const tokens = await tokensOf(chain, servers[0] as SoakServer);
    // Every process has now seen the token and holds it in memory.
    for (const at of servers) await me(at, tokens.access);
    const way = ways[round % ways.length] as Way;
    await way.end(chain, tokens, servers[round % servers.length] as SoakServer);
    figures.revocations += 1;
    for (const at of servers) {
      const asked = [await me(at, tokens.access), await refresh(at, tokens.refresh)];
      figures.questions += asked.length;
      for (const { status } of asked)
        if (status === 200) failures.push(`honoured after: ${way.name}`);
    }
    await way.undo?.(chain);
  }
  await Promise.all(servers.map(({ serverProcess }) => serverProcess.stop()));
  return { figures, failures };
};

type Tokens = { access: string; refresh: string };

async function tokensOf(chain: Chain, at: SoakServer): Promise<Tokens> {
  const { body } = await redeem(at, chain.client, (await chain.code(at)) ?? '');
  return { access: String(body.access_token), refresh: String(body.refresh_token) };
}

type Way = {
  name: string;
  end: (chain: Chain, tokens: Tokens, at: SoakServer) => Promise<unknown>;
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
  const servers = [await startSoakServer(databaseUrl), await startSoakServer(databaseUrl)];
  const figures = { restores: 0, questions: 0 };
  const failures: string[] = [];
  for (let round = 0; goesOn(round); round += 1) {
    const [chain] = await beginChains(servers[0] as SoakServer, 1);
    if (!chain) break;
    const tokens = await tokensOf(chain, servers[0] as SoakServer);
    const goBack = await takeBackup(databaseUrl);
    for (let change = 0; change < 3; change += 1) {
      await disableClient(chain.client.id, operator, new Date());
      await enableClient(chain.client.id, operator, new Date());
    }
    for (const at of servers) await me(at, tokens.access);
    await goBack();
    for (const at of servers) {
      figures.questions += 1;
      if ((await me(at, tokens.access)).status !== 200) failures.push('not restored');
    }
    await disableClient(chain.client.id, operator, new Date());
    figures.restores += 1;
    for (const at of servers) {
      const asked = [await me(at, tokens.access), await refresh(at, tokens.refresh)];
      figures.questions += asked.length;
      for (const { status } of asked) if (status === 200) failures.push('honoured after a restore');
    }
  }
  await Promise.all(servers.map(({ serverProcess }) => serverProcess.stop()));
  return { figures, failures };
};
