import { type Answer, get, post, type Script } from './load.ts';
import { assertionFor, proofFor } from './proofs.ts';

/** A server under test, and what its requests contain. */
export type Target = {
  name: string;
  port: number;
  paths: { authorize: string; token: string; me: string; introspect?: string };
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  /** Further parameters of the authorization request, such as `scope`. */
  authorizeParams: Record<string, string>;
  /** The cookies of the signed-in browsers, one for each connection. */
  cookies: string[];
  tokens: { access: string; refresh: string }[];
  /** User information needs a token other than the flow's, so the one from `tokens` is used. */
  meNeedsOwnToken?: boolean;
  /** Each request has a DPoP proof, and the access tokens are bound to its key (RFC 9449). */
  proves?: boolean;
  /** The client authenticates with its key, with a new assertion each time (RFC 7523). */
  hasKey?: boolean;
  /** A site that it guards, the cookies of signed-in browsers there, and an app password for it. */
  guarded?: {
    host: string;
    cookies: string[];
    authorization?: string | undefined;
    /** Where a proxy asks. */
    path: string;
  };
  /** The same server, with a client that does one of the two. */
  strong?: { dpop: Target; jwt: Target };
};

export type Workload = {
  name: string;
  title: string;
  /** Whether a server supports this. Without it, every server does. */
  isFor?: (target: Target) => boolean;
  script: (target: Target) => (index: number) => Script;
};

const basic = ({ clientId, clientSecret }: Target) => ({
  Authorization: basicOf(clientId, clientSecret),
});

export const basicOf = (name: string, secret: string) =>
  `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;

const originOf = ({ port }: Target) => `http://localhost:${port}`;

/** A token request, with what proves the client and the key. */
function tokenPost(target: Target, fields: Record<string, string>): string {
  const { paths, clientId, port, hasKey, proves } = target;
  const own = hasKey ? assertionFor(clientId, originOf(target)) : {};
  const proof = proves && {
    Host: `localhost:${port}`,
    DPoP: proofFor('POST', originOf(target) + paths.token),
  };
  return post(paths.token, { ...fields, ...own }, { ...(hasKey ? {} : basic(target)), ...proof });
}

/** A request for user information. */
function meGet(target: Target, access: string | null | undefined): string {
  const { paths, port, proves } = target;
  if (!proves) return get(paths.me, { Authorization: `Bearer ${access}` });
  const DPoP = proofFor('GET', originOf(target) + paths.me, access ?? '');
  return get(paths.me, { Host: `localhost:${port}`, Authorization: `DPoP ${access}`, DPoP });
}

const me: Workload = {
  name: 'me',
  title: '(a) user information with a Bearer token',
  script: (target) => (index) => {
    const { access } = tokensOf(target, index);
    const request = meGet(target, access);
    return { next: () => (target.proves ? meGet(target, access) : request) };
  },
};

const refresh: Workload = {
  name: 'refresh',
  title: '(b) refresh grant with rotation, each connection on its own chain',
  script: (target) => (index) => refreshChain(target, index),
};

function refreshChain(target: Target, index: number): Script {
  const tokens = tokensOf(target, index);
  return {
    next: (previous) => {
      followChain(tokens, previous);
      return tokenPost(target, { grant_type: 'refresh_token', refresh_token: tokens.refresh });
    },
  };
}

/** Keeps the refresh token of the latest answer for the next request. */
function followChain(tokens: { refresh: string }, answer: Answer | null): void {
  const successor = answer && /"refresh_token":"([^"]+)"/.exec(answer.body)?.[1];
  if (successor) tokens.refresh = successor;
}

const flow: Workload = {
  name: 'flow',
  title: '(c) code flow of a signed-in person: authorize, token, me',
  script: (target) => (index) => codeFlow(target, index),
};

function codeFlow(target: Target, index: number): Script {
  const authorize = authorizeRequest(target, index);
  let step = 0;
  return {
    next: (previous) => {
      step = previous === null || previous.status >= 400 ? 1 : (step % 3) + 1;
      if (step === 1) return authorize;
      if (step === 2) return tokenRequest(target, previous);
      const fresh = previous && /"access_token":"([^"]+)"/.exec(previous.body)?.[1];
      const access = target.meNeedsOwnToken ? tokensOf(target, index).access : fresh;
      return meGet(target, access);
    },
  };
}

export function authorizeRequest(target: Target, index: number): string {
  const { clientId, redirectUri, authorizeParams, cookies, paths } = target;
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    ...authorizeParams,
  });
  return get(`${paths.authorize}?${query}`, { Cookie: cookies[index % cookies.length] ?? '' });
}

export function tokenRequest(target: Target, authorized: Answer | null): string {
  const code = /[?&]code=([^&\s]+)/.exec(authorized?.head ?? '')?.[1] ?? '';
  const fields = {
    grant_type: 'authorization_code',
    code: decodeURIComponent(code),
    redirect_uri: target.redirectUri,
  };
  return tokenPost(target, fields);
}

const introspect: Workload = {
  name: 'introspect',
  title: '(d) introspection',
  isFor: ({ paths }) => paths.introspect !== undefined,
  script: (target) => (index) => {
    const request = post(
      target.paths.introspect ?? '',
      { token: tokensOf(target, index).access },
      basic(target),
    );
    return { next: () => request };
  },
};

/** Proves the proxy of the benchmark. */
export const proxySecret = 'a-secret-of-the-benchmarks-worth-nothing-elsewhere';

const verify: Workload = {
  name: 'verify',
  title: '(f) a signed-in person opens a page of a guarded site, as a proxy asks',
  isFor: ({ guarded }) => guarded !== undefined,
  script: ({ guarded }) => {
    const { cookies = [], ...site } = guarded ?? {};
    return (index) => asking(site, { Cookie: cookies[index % cookies.length] ?? '' });
  },
};

const verifyPassword: Workload = {
  name: 'verify-password',
  title: '(g) the same by an app password',
  isFor: ({ guarded }) => guarded?.authorization !== undefined,
  script: ({ guarded }) => {
    const { authorization = '', ...site } = guarded ?? {};
    return () => asking(site, { Authorization: authorization });
  },
};

/** A proxy that asks whether a site may be opened. */
function asking(
  { host = '', path = '' }: { host?: string; path?: string },
  sent: Record<string, string>,
): Script {
  const request = get(path, {
    'X-Gatehouse-Proxy-Secret': proxySecret,
    'X-Forwarded-For': '203.0.113.7',
    'X-Forwarded-Method': 'GET',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': host,
    'X-Forwarded-Uri': '/page?of=it',
    Accept: 'text/html',
    'Sec-Fetch-Mode': 'navigate',
    'Sec-Fetch-Dest': 'document',
    ...sent,
  });
  return { next: () => request };
}

const mixed: Workload = {
  name: 'mixed',
  title: '(e) 90 % me, 8 % refresh, 2 % code flow; latencies are those of me',
  script: (target) => (index) => {
    // Each connection mixes the kinds by its own turns, the same way in every run.
    const kinds = [
      me.script(target)(index),
      refreshChain(target, index),
      codeFlow(target, index),
    ] as const;
    const last: (Answer | null)[] = [null, null, null];
    let turn = index;
    let kind = 0;
    return {
      isTimed: () => kind === 0,
      next: (previous) => {
        last[kind] = previous;
        if (kind === 1) followChain(tokensOf(target, index), previous);
        turn += 1;
        kind = turn % 100 < 90 ? 0 : turn % 100 < 98 ? 1 : 2;
        return (kinds[kind] ?? kinds[0]).next(last[kind] ?? null);
      },
    };
  },
};

/** The workload for a client that authenticates with a key, or whose tokens are bound to one. */
const byKey = ({ name, title, script }: Workload, kind: 'dpop' | 'jwt', how: string): Workload => ({
  name: `${name}-${kind}`,
  title: `${title.replace(/ with a Bearer token|, each connection on its own chain/, '')}, ${how}`,
  isFor: ({ strong }) => strong !== undefined,
  script: (target) => script(target.strong?.[kind] ?? target),
});
const proof = 'with a fresh DPoP proof for each request';
const assertion = 'by private_key_jwt, a fresh assertion for each request';

function tokensOf(target: Target, index: number) {
  const tokens = target.tokens[index % target.tokens.length];
  if (!tokens) throw new Error(`${target.name} has no tokens.`);
  return tokens;
}

export const workloads = {
  me,
  refresh,
  flow,
  introspect,
  mixed,
  verify,
  'verify-password': verifyPassword,
  'me-dpop': byKey(me, 'dpop', proof),
  'refresh-dpop': byKey(refresh, 'dpop', proof),
  'refresh-jwt': byKey(refresh, 'jwt', assertion),
};
