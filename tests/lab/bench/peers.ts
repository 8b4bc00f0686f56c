import { type Answer, ask, get } from './load.ts';
import { type Options, type Running, start } from './targets.ts';
import { authorizeRequest, type Target } from './workloads.ts';

type Peer = { script: string; storage: string; title: string };

const peers: Record<string, Peer> = {
  'oidc-provider-memory': {
    script: 'oidc-provider.js',
    storage: 'memory',
    title: 'oidc-provider 9.13.3, in memory',
  },
  'oidc-provider-sqlite': {
    script: 'oidc-provider.js',
    storage: 'sqlite',
    title: 'oidc-provider 9.13.3, SQLite',
  },
  'oidc-provider-postgres': {
    script: 'oidc-provider.js',
    storage: 'postgres',
    title: 'oidc-provider 9.13.3, PostgreSQL',
  },
  'oauth2-server-sqlite': {
    script: 'oauth2-server.js',
    storage: 'sqlite',
    title: '@node-oauth/oauth2-server 5.3.0, SQLite',
  },
};

/** Starts another project's server, which prints what its requests need. */
export async function startPeer(
  name: string,
  { databaseUrl, connections }: Options,
): Promise<Running> {
  const peer = peers[name];
  if (!peer) throw new Error(`There is no peer ${name}.`);
  const command = [
    `tests/lab/bench/peers/${peer.script}`,
    peer.storage,
    databaseUrl,
    String(connections),
  ];
  const running = await start(command, /^ready (\{.*\})/);
  const told = JSON.parse(running.line) as Partial<Target> & { port: number };
  const target = { cookies: [], ...told, name: peer.title } as unknown as Target;
  if (target.cookies.length === 0) target.cookies = [await signInBy(target)];
  const { strong } = target;
  if (strong)
    target.strong = { dpop: { ...target, ...strong.dpop }, jwt: { ...target, ...strong.jwt } };
  return { ...running, target };
}

/** Follows a peer's redirects until the browser is signed in, and returns its cookies. */
async function signInBy(target: Target): Promise<string> {
  const cookies = new Map<string, string>();
  const header = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  let answer: Answer = await ask(target.port, authorizeRequest(target, 0));
  for (let hops = 0; hops < 8; hops += 1) {
    for (const [, name = '', value = ''] of answer.head.matchAll(
      /\r\nset-cookie: ([^=]+)=([^;]*)/gi,
    ))
      cookies.set(name, value);
    const location = /\r\nlocation: (\S+)/i.exec(answer.head)?.[1] ?? '';
    if (location.startsWith(target.redirectUri)) return header();
    const next = new URL(location, `http://localhost:${target.port}`);
    answer = await ask(
      target.port,
      get(next.pathname + next.search, { Cookie: header(), Host: `localhost:${target.port}` }),
    );
  }
  throw new Error(`${target.name} does not sign in: ${answer.head}`);
}
