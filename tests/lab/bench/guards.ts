import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, ask, get } from './load.ts';
import { type Options, type Running, start, startGatehouse } from './targets.ts';
import { authorizeRequest } from './workloads.ts';

/** `go install github.com/oauth2-proxy/oauth2-proxy/v7@v7.15.6` makes it. */
const program = process.env.OAUTH2_PROXY ?? 'oauth2-proxy';
const port = 4180;

/** Starts oauth2-proxy and signs a browser in there, at a Gatehouse that ends then. */
export async function startOauth2Proxy(options: Options): Promise<Running> {
  const provider = await startGatehouse('direct', options);
  const { clientId, clientSecret, redirectUri } = provider.target;
  const set = {
    'http-address': `127.0.0.1:${port}`,
    provider: 'oidc',
    'oidc-issuer-url': `http://localhost:${provider.target.port}`,
    'client-id': clientId,
    'client-secret': clientSecret,
    'redirect-url': redirectUri,
    scope: 'openid profile email',
    'code-challenge-method': 'S256',
    'cookie-secret': 'a-secret-of-the-benchmarks-worth',
    'cookie-secure': 'false',
    'email-domain': '*',
    'insecure-oidc-allow-unverified-email': 'true',
    upstream: 'static://200',
    'set-xauthrequest': 'true',
    'request-logging': 'false',
    'auth-logging': 'false',
  };
  const args = Object.entries(set).map(([name, value]) => `--${name}=${value}`);
  const running = await start([program, ...args], /OAuthProxy configured/, {}, { isNode: false });
  const target = { ...provider.target, name: 'oauth2-proxy 7.15.6', port };
  const begun = await asked(get('/oauth2/start?rd=/'));
  const wanted = new URL(/\r\nlocation: (\S+)/i.exec(begun.head)?.[1] ?? '');
  const authorizeParams = Object.fromEntries(wanted.searchParams);
  const answer = await ask(
    provider.target.port,
    authorizeRequest({ ...provider.target, authorizeParams }, 0),
  );
  const back = new URL(/\r\nlocation: (\S+)/i.exec(answer.head)?.[1] ?? '');
  const ended = await ask(
    port,
    get(`/oauth2/callback${back.search}`, { Cookie: cookiesIn(begun.head) }),
  );
  await provider.stop();
  target.guarded = {
    host: 'app.example.org',
    cookies: [cookiesIn(ended.head)],
    path: '/oauth2/auth',
  };
  return { ...running, target };
}

/** It says what it is set to, but not when it listens. */
async function asked(request: string, tries = 50): Promise<Answer> {
  const failed = async (error: unknown) => {
    if (tries === 0) throw error;
    await pause(100);
    return asked(request, tries - 1);
  };
  return ask(port, request).catch(failed);
}

const cookiesIn = (head: string) =>
  [...head.matchAll(/\r\nset-cookie: ([^=]+=[^;]+)/gi)].map(([, pair]) => pair).join('; ');
