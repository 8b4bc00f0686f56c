import { grantTypesFault, usualGrantTypes } from '../oauth/grant-types.ts';
import type { ClientSettings } from '../store/client-changes.ts';
import { backchannelFault, linkFault, redirectUrisFault } from './addresses.ts';
import type { Faults } from './refusal.ts';

export const idTokenAlgs = ['RS256', 'ES256'] as const;
const maxSeconds = 315_360_000;

/** A client as it is when nothing is said about it. */
export const newClient: ClientSettings = {
  name: '',
  type: 'confidential',
  description: null,
  homePage: null,
  privacyLink: null,
  termsLink: null,
  grants: [...usualGrantTypes],
  scopes: null,
  redirectUris: [],
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  requirePkce: null,
  requireClientAuthOnRefresh: null,
  firstParty: false,
  resourceServer: false,
  sendIss: true,
  idTokenAlg: 'RS256',
  idTokenOnRefresh: true,
  accessTokenTtl: null,
  refreshTokenTtl: null,
  refreshTokenMaxTtl: null,
};

/** What a rule has to know besides the client itself. */
export type RuleContext = {
  knownScopes: readonly string[];
  /** Addresses it has already; they need no further acknowledgement. */
  knownUris: readonly string[];
  allowInsecureRedirectUri: boolean;
};

type Rule = (client: ClientSettings, context: RuleContext) => string | null | undefined | false;
type Field = keyof ClientSettings;

/** What must hold of a client, field by field; a rule gives the sentence that says what does not. */
const rules: [Field, Rule][] = [
  [
    'name',
    ({ name }) => !/^\P{C}{1,100}$/u.test(name) && 'A client needs a name of 1 to 100 characters.',
  ],
  [
    'description',
    ({ description }) =>
      description !== null &&
      !/^(?:[^\p{Cc}\p{Cs}]|[\t\r\n]){1,1000}$/u.test(description) &&
      'A description has at most 1000 characters, none of them control characters.',
  ],
  ['homePage', ({ homePage }) => homePage !== null && linkFault(homePage)],
  ['privacyLink', ({ privacyLink }) => privacyLink !== null && linkFault(privacyLink)],
  ['termsLink', ({ termsLink }) => termsLink !== null && linkFault(termsLink)],
  ['grants', ({ grants, type }) => grantTypesFault(grants, type)],
  ['scopes', scopesFault],
  ['redirectUris', redirectFault],
  [
    'postLogoutRedirectUris',
    ({ postLogoutRedirectUris }, { knownUris, allowInsecureRedirectUri }) =>
      redirectUrisFault(postLogoutRedirectUris, knownUris, allowInsecureRedirectUri),
  ],
  [
    'backchannelLogoutUri',
    ({ backchannelLogoutUri: uri }) => uri !== null && backchannelFault(uri),
  ],
  [
    'requirePkce',
    ({ type, requirePkce }) =>
      type === 'public' && requirePkce === false && 'A public client must use PKCE; leave it on.',
  ],
  [
    'requireClientAuthOnRefresh',
    ({ type, requireClientAuthOnRefresh: must }) =>
      type === 'public' &&
      must &&
      'A public client has no secret to authenticate with when it refreshes.',
  ],
  [
    'resourceServer',
    ({ type, resourceServer }) =>
      type === 'public' &&
      resourceServer &&
      'A resource server introspects tokens, for which it needs a secret; it cannot be public.',
  ],
  [
    'idTokenAlg',
    ({ idTokenAlg }) =>
      !isIn(idTokenAlgs, idTokenAlg) && `ID tokens are signed with ${idTokenAlgs.join(' or ')}.`,
  ],
  ['accessTokenTtl', ({ accessTokenTtl }) => secondsFault(accessTokenTtl)],
  ['refreshTokenTtl', ({ refreshTokenTtl }) => secondsFault(refreshTokenTtl)],
  ['refreshTokenMaxTtl', ({ refreshTokenMaxTtl }) => secondsFault(refreshTokenMaxTtl)],
];

/** Everything that is wrong with a client, one sentence for each field. */
export function clientFaults(client: ClientSettings, context: RuleContext): Faults {
  const faults: Faults = {};
  for (const [field, rule] of rules) {
    const fault = rule(client, context);
    if (fault) faults[field] = fault;
  }
  return faults;
}

function scopesFault({ scopes }: ClientSettings, { knownScopes }: RuleContext): string | null {
  const unknown = scopes?.find((scope) => !knownScopes.includes(scope));
  return unknown === undefined
    ? null
    : `There is no scope "${unknown.slice(0, 60)}"; make it first.`;
}

function redirectFault(
  { type, redirectUris }: ClientSettings,
  context: RuleContext,
): string | null {
  if (type === 'public' && redirectUris.length === 0)
    return 'A public client needs at least one redirect URI.';
  return redirectUrisFault(redirectUris, context.knownUris, context.allowInsecureRedirectUri);
}

function secondsFault(seconds: number | null): string | null {
  const fine =
    seconds === null || (Number.isInteger(seconds) && seconds >= 1 && seconds <= maxSeconds);
  return fine ? null : `A lifetime is a whole number of seconds from 1 to ${maxSeconds}.`;
}

function isIn<T extends string>(list: readonly T[], value: string): value is T {
  return (list as readonly string[]).includes(value);
}

/** What is wrong with a client_id that an admin chose: it stands in addresses and in Basic credentials. */
export function clientIdFault(id: string): string | null {
  return /^[A-Za-z0-9._~-]{1,100}$/.test(id)
    ? null
    : 'A client_id has 1 to 100 letters, digits, and . _ ~ - only.';
}
