import { prisma } from '../../support/prisma.ts';
import { set } from '../../support/settings.ts';
import { drive, get, type Script } from '../bench/load.ts';
import { residentOf } from './ground.ts';
import { killHard, type Part, type SoakServer, startSoakServer } from './part.ts';

/** The number of addresses that register. Each may do so 60 times in 15 minutes. */
const addresses = 2000;
/**
 * How much the process may grow after the first round, in MiB. It levels off after about 30,000
 * registrations.
 */
const slack = 300;

const redirectUri = 'https://flood.example/callback';
const metadata = JSON.stringify({
  client_name: 'Flood',
  redirect_uris: [redirectUri, 'http://localhost/callback'],
});

function registering(count: number): string {
  const from = `198.18.${(count >> 8) & 255}.${count & 255}`;
  return `POST /oauth/register HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${from}\r\nContent-Type: application/json\r\nContent-Length: ${metadata.length}\r\n\r\n${metadata}`;
}

function signingIn(id: string): string {
  const fields = { client_id: id, response_type: 'code', redirect_uri: redirectUri };
  return get(`/oauth/authorize?${new URLSearchParams(fields)}`);
}

type Figures = { registered: number; refused: number; sent_on: number; strange: number };

/** Registers, and sends a browser to sign in with the id from the answer. No one ever consents. */
function flooding(figures: Figures, start: number): Script {
  let count = start;
  return {
    next(previous) {
      const id = /"client_id":"(gh_dyn_[\w-]+)"/.exec(previous?.body ?? '')?.[1];
      if (previous?.status === 201) figures.registered += 1;
      else if (previous?.status === 429) figures.refused += 1;
      else if (previous?.status === 303) figures.sent_on += 1;
      else if (previous) figures.strange += 1;
      count += 7;
      return id === undefined ? registering(count % addresses) : signingIn(id);
    },
  };
}

/** Tens of thousands of registrations store no rows and hold no memory. */
export const registrations: Part = async ({ databaseUrl, goesOn }) => {
  const server = await startSoakServer(databaseUrl);
  await set('CLIENT_REGISTRATION', 'open');
  const figures = { registered: 0, refused: 0, sent_on: 0, strange: 0, per_second: 0 };
  const failures: string[] = [];
  const before = await rows();
  let held: number | null = null;
  for (let round = 0; goesOn(round); round += 1) {
    const script = (index: number) => flooding(figures, index * 131 + round);
    const { perSecond } = await drive({ ...loadOf(server), script });
    figures.per_second = Math.round(perSecond);
    const after = await rows();
    if (JSON.stringify(after) !== JSON.stringify(before))
      failures.push(`round ${round}: ${JSON.stringify(after)} rows`);
    if ((await (await prisma()).throttle.count()) > addresses + 100)
      failures.push(`round ${round}: more throttles than addresses`);
    const memory = residentOf(server.serverProcess);
    held ??= memory;
    if (memory > held + slack) failures.push(`round ${round}: ${memory} MiB`);
  }
  if (figures.registered === 0 || figures.strange > 0) failures.push(JSON.stringify(figures));
  await killHard(server);
  return { figures, failures };
};

const loadOf = ({ port, serverProcess }: SoakServer) => ({
  port,
  pid: serverProcess.process.pid ?? 0,
  connections: 40,
  warmUpMs: 0,
  measureMs: 4000,
});

/** The tables that registering could fill. */
async function rows(): Promise<Record<string, number>> {
  const db = await prisma();
  return {
    clients: await db.client.count(),
    addresses: await db.clientAddress.count(),
    secrets: await db.clientSecret.count(),
    introductions: await db.clientIntroduction.count(),
    spent: await db.spentValue.count(),
  };
}
