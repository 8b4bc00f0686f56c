import { type Answer, me, redeem, refresh } from '../../support/app.ts';
import { beginChains, type Chain } from './load.ts';
import { type Part, type SoakServer, startSoakServer } from './part.ts';

const atOnce = 8;

/**
 * Several requests use the same code or refresh token at the same time, at several processes. A
 * code has at most one winner; a refresh token gives all of them the same successor.
 */
export const race: Part = async ({ databaseUrl, goesOn }) => {
  const servers: SoakServer[] = [];
  for (let each = 0; each < 3; each += 1) servers.push(await startSoakServer(databaseUrl));
  const chains = await beginChains(servers[0] as SoakServer, 4);
  const figures = { codes: 0, refreshes: 0, requests: 0 };
  const failures: string[] = [];
  const everywhere = (ask: (at: SoakServer) => Promise<Answer>) => {
    figures.requests += atOnce;
    return Promise.all(
      Array.from({ length: atOnce }, (_, index) =>
        ask(servers[index % servers.length] as SoakServer),
      ),
    );
  };
  for (let round = 0; goesOn(round); round += 1) {
    await Promise.all(
      chains.map(async (chain) => {
        failures.push(...(await raceForCode(chain, servers[0] as SoakServer, everywhere)));
        figures.codes += 1;
        const found = await raceForRefresh(chain, servers[0] as SoakServer, everywhere);
        failures.push(...found.failures);
        figures.refreshes += found.steps;
      }),
    );
  }
  await Promise.all(servers.map(({ serverProcess }) => serverProcess.stop()));
  return { figures, failures };
};

type Everywhere = (ask: (at: SoakServer) => Promise<Answer>) => Promise<Answer[]>;

const won = (answers: Answer[]) => answers.filter(({ status }) => status === 200);

async function raceForCode(
  chain: Chain,
  at: SoakServer,
  everywhere: Everywhere,
): Promise<string[]> {
  const code = await chain.code(at);
  if (code === null) return ['no code'];
  const winners = won(await everywhere((server) => redeem(server, chain.client, code)));
  const failures = winners.length > 1 ? [`${winners.length} won one code`] : [];
  // A code that its own client presents twice takes its tokens with it.
  for (const { body } of winners)
    if ((await me(at, String(body.access_token))).status !== 401)
      failures.push('the tokens of a code that was presented twice are alive');
  return failures;
}

async function raceForRefresh(chain: Chain, at: SoakServer, everywhere: Everywhere) {
  const code = await chain.code(at);
  const first = code === null ? null : await redeem(at, chain.client, code);
  if (first?.status !== 200) return { steps: 0, failures: ['no tokens to race with'] };
  let token = String(first.body.refresh_token);
  const failures: string[] = [];
  for (let step = 0; step < 3; step += 1) {
    const winners = won(await everywhere((server) => refresh(server, token)));
    const successors = new Set(winners.map(({ body }) => body.refresh_token));
    if (winners.length !== atOnce) failures.push(`${atOnce - winners.length} repeats refused`);
    if (successors.size !== 1) failures.push(`${successors.size} successors of one refresh token`);
    token = String([...successors][0]);
  }
  return { steps: 3, failures };
}
