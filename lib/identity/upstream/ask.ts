import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchProtectedResource,
  fetchUserInfo,
} from 'openid-client';
import type { ProviderAddress } from '../../http/own-address.ts';
import { type Facts, shownOf } from '../../oauth/facts.ts';
import { isText } from '../../oauth/params.ts';
import type { Provider } from '../../store/providers.ts';
import { type Asked, nonceOf, verifierOf } from './asked.ts';
import { asClientOf, type Watch, withAnswerAt } from './clients.ts';
import { ProviderFault } from './fault.ts';
import { faultOf } from './faults.ts';
import { type Claims, type Kind, kinds, redirectUriOf, scopesOf } from './provider-kinds.ts';
import { claimAt, scopesLacking } from './said-claims.ts';

/** The address to which a person is sent to sign in at a provider. @throws ProviderFault */
export async function addressAt(
  provider: Provider,
  asked: Asked,
  state: string,
  now: Date,
): Promise<ProviderAddress> {
  const client = await asClientOf(provider, now);
  const { protocol, posts, again } = kinds[provider.kind];
  const url = buildAuthorizationUrl(client, {
    redirect_uri: redirectUriOf(provider.slug),
    scope: scopesOf(provider).join(' '),
    state,
    code_challenge: await calculatePKCECodeChallenge(verifierOf(asked)),
    code_challenge_method: 'S256',
    ...(protocol === 'openid' && { nonce: nonceOf(asked) }),
    ...(posts && { response_mode: 'form_post' }),
    ...againAs(again, asked.g),
  });
  return url.href as ProviderAddress;
}

/** The parameters that ask a provider for a sign-in that is at most `limit` seconds old. */
function againAs(again: Kind['again'], limit: Asked['g']): Record<string, string> {
  if (limit === false || again === null) return {};
  if (again === 'select_account') return { prompt: again };
  return { max_age: String(limit), ...(limit === 0 && { prompt: 'login' }) };
}

/** What a provider says about the person who signed in. */
export type Said = {
  issuer: string;
  subject: string;
  claims: Claims;
  /** The provider's id for its own session (OpenID Connect Back-Channel Logout section 2.1). */
  sid: string | null;
  notes: Facts[];
};

/** A provider's answer: what it was asked, and what came to the redirect URI. */
export type Answer = { provider: Provider; asked: Asked; query: URLSearchParams };

/**
 * Redeems a provider's answer and returns what it says.
 * @param watch receives the responses of the provider
 * @throws ProviderFault
 */
export async function readAnswerOf(
  { provider, asked, query }: Answer,
  now: Date,
  watch?: Watch,
): Promise<Said> {
  try {
    const url = new URL(redirectUriOf(provider.slug));
    for (const [name, value] of query) url.searchParams.append(name, value);
    const { protocol } = kinds[provider.kind];
    const by = protocol === 'openid' ? byIdToken : byProfile(profiles[protocol]);
    return await withAnswerAt(provider, now, (client) => by(provider, client, asked, url), watch);
  } catch (error) {
    throw faultOf(error);
  }
}

const stateIn = (url: URL) => url.searchParams.get('state') ?? '';

async function byIdToken(
  provider: Provider,
  client: Configuration,
  asked: Asked,
  url: URL,
): Promise<Said> {
  const tokens = await authorizationCodeGrant(client, url, {
    expectedState: stateIn(url),
    expectedNonce: nonceOf(asked),
    pkceCodeVerifier: verifierOf(asked),
    idTokenExpected: true,
  });
  const id: Claims | undefined = tokens.claims();
  const subject = subjectIn(id?.sub);
  const { groupsClaim, kind } = provider;
  const lacks = [kinds[kind].verified.claim, 'email', ...(groupsClaim ? [groupsClaim] : [])].some(
    (name) => claimAt(id, name) === undefined,
  );
  const more =
    lacks && client.serverMetadata().userinfo_endpoint
      ? await fetchUserInfo(client, tokens.access_token, subject)
      : {};
  const sid = isName(id?.sid) ? id.sid : null;
  const claims = joined(provider, id ?? {}, more);
  return { issuer: String(id?.iss), subject, sid, claims, notes: notesOn(provider, tokens.scope) };
}

function notesOn(provider: Provider, given: string | undefined): Facts[] {
  const lacking = scopesLacking(scopesOf(provider), given);
  if (lacking.length === 0) return [];
  const received = `${provider.name}: ${given}`;
  return [{ rule: 'provider.scope', received: shownOf(received), expected: lacking }];
}

/**
 * Merges the claims of the ID token and the user information. The address and its verified flag are
 * always taken from the same source: if the user information verifies one address, that says
 * nothing about another one in the ID token. Only the ID token speaks of the sign-in: the rest is
 * about the person, who may write some of it.
 */
function joined({ kind }: Provider, id: Claims, more: Claims): Claims {
  const { claim } = kinds[kind].verified;
  const of = id.email !== undefined && id[claim] !== undefined ? id : more;
  const { auth_time, amr } = id;
  return { ...more, ...id, auth_time, amr, email: of.email, [claim]: of[claim] };
}

/** OpenID Connect Core section 2: up to 255 characters. */
const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 255 && isText(value);

/** An empty or missing subject identifies no one. */
function subjectIn(value: unknown): string {
  if (isName(value) && value.trim() !== '') return value;
  throw new ProviderFault(
    'provider.subject',
    'The provider sent no usable identifier of the user.',
    JSON.stringify(value)?.slice(0, 100) ?? 'nothing',
    ['a text of 1 to 255 characters'],
  );
}

/** Without an ID token, an API of the provider says who the person is. */
const byProfile: (profileOf: ProfileOf) => typeof byIdToken =
  (profileOf) => async (provider, client, asked, url) => {
    const { access_token: token, scope } = await authorizationCodeGrant(client, url, {
      expectedState: stateIn(url),
      pkceCodeVerifier: verifierOf(asked),
    });
    const at = provider.issuer;
    const get = async (address: string) => {
      const answer = await fetchProtectedResource(client, token, new URL(address), 'GET');
      return (await answer.json()) as unknown;
    };
    const { id, ...claims } = await profileOf(at, get);
    return {
      issuer: at,
      subject: subjectIn(id),
      sid: null,
      claims,
      notes: notesOn(provider, scope),
    };
  };

type Get = (address: string) => Promise<unknown>;
type Profile = Claims & { id: unknown };
type ProfileOf = (at: string, get: Get) => Promise<Profile>;

/** A person is a number. An address is verified only if `/user/emails` says so. */
async function githubProfile(at: string, get: Get): Promise<Profile> {
  const api = githubApi(at);
  const user = (await get(`${api}/user`)) as Claims;
  const emails = await get(`${api}/user/emails`);
  const all = Array.isArray(emails) ? (emails as Claims[]) : [];
  const verified = all.filter((each) => each?.verified === true);
  const email = verified.find((each) => each.primary === true)?.email;
  return {
    id: Number.isSafeInteger(user.id) && Number(user.id) > 0 ? String(user.id) : user.id,
    name: user.name,
    preferred_username: user.login,
    ...(typeof email === 'string' && { email, email_verified: true }),
  };
}

function githubApi(at: string): string {
  const { hostname, origin } = new URL(at);
  if (hostname === 'github.com' || hostname.endsWith('.ghe.com')) return `https://api.${hostname}`;
  return `${origin}/api/v3`;
}

async function discordProfile(at: string, get: Get): Promise<Profile> {
  const user = (await get(`${at}/api/users/@me`)) as Claims;
  return {
    id: user.id,
    name: user.global_name,
    preferred_username: user.username,
    email: user.email,
    email_verified: user.verified,
  };
}

/** How providers without ID tokens say who a person is. */
const profiles: Readonly<Record<Exclude<Kind['protocol'], 'openid'>, ProfileOf>> = {
  github: githubProfile,
  discord: discordProfile,
};
