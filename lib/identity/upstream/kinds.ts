import { config } from '../../config.ts';
import type { Provider } from '../../store/providers.ts';

/** What a provider says of somebody, under the names of OpenID Connect Core section 5.1. */
export type Claims = Readonly<Record<string, unknown>>;

/** How one kind of provider is asked, and what of its word counts. */
type Kind = {
  /** What people know it by; an admin may say another name. */
  name: string;
  /** OpenID Connect with discovery, or the API of its own that it has instead of ID tokens. */
  protocol: 'openid' | 'github' | 'discord';
  /** Where it is, unless an admin says otherwise; null: they always say it. */
  issuer: string | null;
  /** It is nowhere else. */
  fixed?: true;
  /** How its issuer looks, where an admin says it. */
  example?: string;
  /** What is asked for unless an admin says otherwise. */
  scopes: readonly string[];
  /** What this server authenticates with there: a secret, a secret or nothing, or a key that signs secrets. */
  secret: 'needed' | 'optional' | 'key';
  /** Its answer is posted by the browser, from its own site: Apple does whenever a scope is asked for. */
  posts?: true;
  /** What makes it ask who somebody is though it knows them; null: nothing does. `max_age`: its answer proves it. */
  again: { prompt: 'login'; max_age: '0' } | { prompt: 'select_account' } | null;
  /** The claim by which its word that an address is verified can be believed, and what that looks like. */
  verified: { claim: string; is: (value: unknown) => boolean };
  /** The claim that names the organisation whose domain counts, instead of the domain of an address. */
  organisation?: string;
  /** The picture on its button; without one it has a letter. */
  mark?: string;
};

const openIdScopes = ['openid', 'profile', 'email'] as const;

/** Core section 5.1: a boolean. Whatever else is there is no promise. */
const saysTrue = (value: unknown) => value === true;
/** Apple sends the text, too ("Authenticating users with Sign in with Apple"). */
const saysTrueOrText = (value: unknown) => value === true || value === 'true';
/** Entra sends `xms_edov` as a boolean, a number or a text, by the kind of account. */
const saysYes = (value: unknown) => [true, 1, '1', 'true'].some((yes) => yes === value);

const again = { prompt: 'login', max_age: '0' } as const;
const emailVerified = { claim: 'email_verified', is: saysTrue };

/**
 * The kinds of provider. Subject and issuer say who somebody is, for each kind; an address is
 * believed only by the row's claim.
 */
export const kinds: Readonly<Record<Provider['kind'], Kind>> = {
  google: {
    name: 'Google',
    protocol: 'openid',
    issuer: 'https://accounts.google.com',
    fixed: true,
    scopes: openIdScopes,
    secret: 'needed',
    again: { prompt: 'select_account' },
    verified: emailVerified,
    organisation: 'hd',
    mark: 'google',
  },
  /** One tenant: its issuer has the tenant's id. `email` can be written by whoever runs a tenant; `xms_edov` says that its domain is proved. */
  microsoft: {
    name: 'Microsoft',
    protocol: 'openid',
    issuer: null,
    example: 'https://login.microsoftonline.com/TENANT-ID/v2.0',
    scopes: openIdScopes,
    secret: 'needed',
    again,
    verified: { claim: 'xms_edov', is: saysYes },
  },
  /** No OpenID Connect. `/user` shows an address that nobody has verified; `/user/emails` says which are. */
  github: {
    name: 'GitHub',
    protocol: 'github',
    issuer: 'https://github.com',
    scopes: ['read:user', 'user:email'],
    secret: 'needed',
    again: { prompt: 'select_account' },
    verified: emailVerified,
    mark: 'github',
  },
  gitlab: {
    name: 'GitLab',
    protocol: 'openid',
    issuer: 'https://gitlab.com',
    scopes: openIdScopes,
    secret: 'optional',
    again,
    verified: emailVerified,
    mark: 'gitlab',
  },
  /** `verified` of its user object is passed on as `email_verified`. */
  discord: {
    name: 'Discord',
    protocol: 'discord',
    issuer: 'https://discord.com',
    fixed: true,
    scopes: ['identify', 'email'],
    secret: 'needed',
    again: null,
    verified: emailVerified,
    mark: 'discord',
  },
  apple: {
    name: 'Apple',
    protocol: 'openid',
    issuer: 'https://appleid.apple.com',
    fixed: true,
    scopes: ['openid', 'name', 'email'],
    secret: 'key',
    posts: true,
    again: null,
    verified: { claim: 'email_verified', is: saysTrueOrText },
    mark: 'apple',
  },
  openid: {
    name: 'OpenID Connect',
    protocol: 'openid',
    issuer: null,
    example: 'https://idp.example.com',
    scopes: openIdScopes,
    secret: 'optional',
    again,
    verified: emailVerified,
  },
};

/** The kinds there are, in the order of the table. */
export const providerKinds = Object.keys(kinds) as [Provider['kind'], ...Provider['kind'][]];

/** The one redirect URI of a provider: none shares it, so that no provider's answer passes for another's (RFC 9700 section 4.4). */
export function redirectUriOf(slug: string): string {
  return `${config().issuer}/login/with/${slug}/callback`;
}

/** Where a provider says that somebody has signed out there; null: its kind does not. */
export function endedUriOf({ kind, slug }: Pick<Provider, 'kind' | 'slug'>): string | null {
  if (kinds[kind].protocol !== 'openid' || kinds[kind].fixed) return null;
  return `${config().issuer}/login/with/${slug}/ended`;
}

/** What a provider is asked for. */
export function scopesOf({ kind, scopes }: Pick<Provider, 'kind' | 'scopes'>): readonly string[] {
  return scopes.length > 0 ? scopes : kinds[kind].scopes;
}

/** Why an issuer is none of this kind, as the name of the fault; null: it is one. */
type IssuerFault = 'not-an-address' | 'not-https' | 'fixed' | 'has-more' | 'many-tenants';

/** Words of Microsoft for "accounts of any tenant": their tokens are issued by many. */
const manyTenants = new Set(['common', 'organizations', 'consumers']);

/**
 * Why a provider of this kind cannot be at an issuer; null: it can. An http address is for trying
 * things on this machine, where the environment allows calls to private addresses.
 */
export function issuerFault(kind: Provider['kind'], issuer: string): IssuerFault | null {
  if (!URL.canParse(issuer)) return 'not-an-address';
  const url = new URL(issuer);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    return 'not-https';
  if (url.search || url.hash || url.username || url.password || /[\s\\]/.test(issuer))
    return 'has-more';
  const { fixed, issuer: only } = kinds[kind];
  if (fixed && issuer !== only) return 'fixed';
  const [, tenant = ''] = url.pathname.split('/');
  if (kind === 'microsoft' && (tenant === '' || manyTenants.has(tenant))) return 'many-tenants';
  return null;
}

const isLoopback = (host: string) => ['localhost', '127.0.0.1', '[::1]'].includes(host);

/** The address that a provider vouches for, in lower case; null: there is none that it has verified. */
export function verifiedAddressOf(kind: Provider['kind'], claims: Claims): string | null {
  const { claim, is } = kinds[kind].verified;
  const { email } = claims;
  if (typeof email !== 'string' || !is(claims[claim])) return null;
  const text = email.trim();
  return text.length > 0 && text.length <= 320 ? text : null;
}

/** Whether somebody comes from one of the domains that a provider is for; without any, everybody does. */
export function isOfDomains(
  { kind, domains }: Pick<Provider, 'kind' | 'domains'>,
  claims: Claims,
): boolean {
  if (domains.length === 0) return true;
  const { organisation } = kinds[kind];
  const address = verifiedAddressOf(kind, claims);
  const domain = organisation ? claims[organisation] : address?.slice(address.lastIndexOf('@') + 1);
  return typeof domain === 'string' && domains.includes(domain.toLowerCase());
}
