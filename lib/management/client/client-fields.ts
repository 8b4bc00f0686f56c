import { isColour } from '../../colours.ts';
import { sentence } from '../../messages/sentence.ts';
import {
  type ClientField,
  type ClientSettings,
  clientFieldNames,
  clientFields,
} from '../../oauth/client.ts';
import {
  backchannelFault,
  initiateLoginFault,
  jwksUriFault,
  linkFault,
} from '../../oauth/client-links.ts';
import { grantTypeNames } from '../../oauth/grant-types.ts';
import { oldIssuerFault } from '../../oauth/old-issuer.ts';
import { siteFacts } from '../../oauth/site.ts';
import { linesFault } from '../branding/words.ts';
import {
  added,
  changed,
  demandsLess,
  endsLater,
  hostOf,
  type Loosening,
  type LooseningContext,
  leadsElsewhere,
  livesLonger,
  mayAskMore,
  mayComeFromMore,
  never,
  replaced,
  sendsElsewhere,
  tellsMore,
  turnedOff,
  turnedOn,
} from '../loosening.ts';
import type { Faults } from '../refusal.ts';
import { ofRule } from '../rule-fault.ts';
import {
  constantClaimsFault,
  groupNamesFault,
  groupsClaimFault,
  groupsPrefixFault,
} from './claim-rules.ts';
import {
  addressesFault,
  defaultApiFault,
  descriptionFault,
  exchangeFault,
  federatedRule,
  grantsFault,
  identityFault,
  identityGroupsFault,
  ifGiven,
  keysFault,
  mustBeOneOf,
  nameFault,
  networksFault,
  notIfPublic,
  notIfPublicAndGiven,
  openPathsFault,
  originFault,
  type Rule,
  type RuleContext,
  redirectFault,
  scopesFault,
  secondsFault,
  signInTimeFault,
  siteHeadersFault,
  sitesFault,
} from './client-rules.ts';

type Flags = readonly [flags: string, says: string];
type Management<T> = {
  /** Its options on the command line, and their descriptions. */
  options: readonly [Flags, ...Flags[]];
  /** What its value must satisfy; null if any value of its kind will do. */
  rule: Rule<T> | null;
  /** Which edits need a fresh sign-in. */
  loosens: Loosening<T>;
};

const either = ([one, other]: readonly [string, string]) => sentence('refused.or', { one, other });

const link = (flags: string, says: string): Management<string | null> => ({
  options: [[flags, says]],
  rule: ifGiven((uri) => ofRule(linkFault(uri))),
  // People who trust the app follow it.
  loosens: leadsElsewhere,
});

export const clientManagement: {
  readonly [Field in ClientField]: Management<ClientSettings[Field]>;
} = {
  name: {
    options: [['--name <name>', 'the name users see']],
    rule: nameFault,
    loosens: never,
  },
  description: {
    options: [['--description <text>', 'what it is']],
    rule: descriptionFault,
    loosens: never,
  },
  homePage: link('--home-page <url>', 'its home page'),
  privacyLink: link('--privacy-link <url>', 'its privacy policy'),
  termsLink: link('--terms-link <url>', 'its terms of use'),
  accent: {
    options: [['--accent <colour>', 'colour of its sign-in and consent page, such as #0b6354']],
    rule: ifGiven((colour) => (isColour(colour) ? null : sentence('refused.branding.accent'))),
    loosens: never,
  },
  pageLines: {
    options: [
      [
        '--page-line <language=text>',
        'a line on its sign-in and consent page for readers of a language, such as de, or of any; can be repeated, or none',
      ],
    ],
    rule: linesFault,
    // It may have links, which people who trust the app follow.
    loosens: changed,
  },
  type: {
    options: [
      ['--public', 'an app that cannot keep a secret (single page, mobile); it must use PKCE'],
    ],
    rule: mustBeOneOf(clientFields.type.of, sentence('refused.client.type')),
    // Changing the type creates or drops the secret.
    loosens: replaced,
  },
  redirectUris: {
    options: [['--redirect-uri <uri>', 'where users go after signing in; can be repeated']],
    rule: redirectFault,
    loosens: sendsElsewhere,
  },
  postLogoutRedirectUris: {
    options: [
      ['--post-logout-redirect-uri <uri>', 'where users go after signing out; can be repeated'],
    ],
    rule: addressesFault,
    loosens: added,
  },
  backchannelLogoutUri: {
    options: [['--backchannel-logout-uri <uri>', 'address that is notified when a session ends']],
    rule: ifGiven((uri) => ofRule(backchannelFault(uri))),
    loosens: replaced,
  },
  scopes: {
    options: [
      [
        '--scope <scopes>',
        'scopes it can request, separated by spaces (default: all except sensitive); tokens that carry another one end',
      ],
    ],
    rule: scopesFault,
    loosens: mayAskMore,
  },
  grants: {
    options: [['--grant <type>', `${grantTypeNames.join(', ')}; can be repeated`]],
    rule: grantsFault,
    loosens: added,
  },
  requirePkce: {
    options: [['--require-pkce [on|off|default]', 'it must send a code_challenge']],
    rule: notIfPublic(false, sentence('refused.client.publicPkce')),
    loosens: demandsLess,
  },
  requireClientAuthOnRefresh: {
    options: [
      ['--require-client-auth-on-refresh [on|off|default]', 'it must authenticate to refresh'],
    ],
    rule: notIfPublic(true, sentence('refused.client.publicRefresh')),
    loosens: demandsLess,
  },
  requirePushedAuthorizationRequests: {
    options: [
      [
        '--require-pushed-authorization-requests [on|off|default]',
        'it must push its authorization requests (RFC 9126)',
      ],
    ],
    rule: null,
    loosens: demandsLess,
  },
  strong: {
    options: [
      [
        '--strong [on|off|default]',
        'it meets FAPI 2.0: its own key, pushed requests, PKCE, https, tokens bound to a key',
      ],
    ],
    rule: null,
    loosens: demandsLess,
  },
  dpopBoundAccessTokens: {
    options: [
      [
        '--dpop-bound-access-tokens [on|off]',
        'it only gets tokens that are bound to a key (DPoP, RFC 9449)',
      ],
    ],
    rule: null,
    loosens: turnedOff,
  },
  requireDpopNonce: {
    options: [
      ['--require-dpop-nonce [on|off|default]', 'its DPoP proofs hold a nonce of this server'],
    ],
    rule: null,
    loosens: demandsLess,
  },
  jwks: {
    options: [
      [
        '--jwks <json>',
        'its public keys as a JWK Set, by which it proves itself instead of by a secret (private_key_jwt)',
      ],
    ],
    rule: keysFault,
    // Anyone with the private key can act as the client, and without keys, anyone with the new
    // secret.
    loosens: (before, after) => after !== before,
  },
  jwksUri: {
    options: [['--jwks-uri <url>', 'where its public keys are, if they are not registered here']],
    rule: notIfPublicAndGiven((uri) => ofRule(jwksUriFault(uri))),
    loosens: (before, after) => after !== before,
  },
  federatedCredentials: {
    options: [
      [
        '--federated-credential <json>',
        'an issuer whose JWTs it proves itself with instead, and the claims they must have; can be repeated, or none',
      ],
    ],
    rule: federatedRule,
    // Anyone who gets such a JWT can act as the client, and without issuers, anyone with the new
    // secret.
    loosens: (before, after) => JSON.stringify(before) !== JSON.stringify(after),
  },
  firstParty: {
    options: [['--first-party [on|off]', 'users are not asked for consent']],
    rule: null,
    loosens: turnedOn,
  },
  resourceServer: {
    options: [['--resource-server [on|off]', "it can introspect other clients' tokens"]],
    rule: notIfPublic(true, sentence('refused.client.publicResource')),
    loosens: turnedOn,
  },
  sendIss: {
    options: [
      ['--iss', 'send iss with responses (RFC 9207); the default'],
      ['--no-iss', 'leave out iss, for libraries that fail on it'],
    ],
    rule: null,
    loosens: turnedOff,
  },
  oldIssuer: {
    options: [
      [
        '--old-issuer <path>',
        'the path of the issuer that it still uses for this server, such as /realms/acme; "" once it uses the new one',
      ],
    ],
    rule: ifGiven((path) => ofRule(oldIssuerFault(path))),
    loosens: replaced,
  },
  subjectType: {
    options: [
      [
        '--subject-type <type>',
        'public, or pairwise: its sub for a person differs from that of other apps',
      ],
    ],
    rule: mustBeOneOf(clientFields.subjectType.of, sentence('refused.client.subjectType')),
    loosens: (before, after) => before === 'pairwise' && after === 'public',
  },
  sectorIdentifierUri: {
    options: [
      [
        '--sector-identifier-uri <url>',
        'https address whose host is its sector for pairwise subjects, if its redirect URIs have several hosts',
      ],
    ],
    rule: ifGiven((uri) => ofRule(jwksUriFault(uri)) && sentence('refused.client.sectorUri')),
    // Apps of one sector know people by the same sub.
    loosens: replaced,
  },
  idTokenAlg: {
    options: [['--id-token-alg <alg>', clientFields.idTokenAlg.of.join(' or ')]],
    rule: mustBeOneOf(
      clientFields.idTokenAlg.of,
      sentence('refused.client.idTokenAlg', { algs: either(clientFields.idTokenAlg.of) }),
    ),
    loosens: never,
  },
  idTokenOnRefresh: {
    options: [
      ['--id-token-on-refresh', 'return an ID token with each refresh; the default'],
      ['--no-id-token-on-refresh', 'return an ID token only the first time'],
    ],
    rule: null,
    // Reveals nothing the first answer didn't.
    loosens: never,
  },
  accessTokenTtl: {
    options: [['--access-token-ttl <time>', 'lifetime of its access tokens, or default']],
    rule: secondsFault,
    loosens: livesLonger('accessTokenTtl'),
  },
  refreshTokenTtl: {
    options: [
      ['--refresh-token-ttl <time>', 'how long its refresh tokens can go unused, or default'],
    ],
    rule: secondsFault,
    loosens: livesLonger('refreshTokenTtl'),
  },
  refreshTokenMaxTtl: {
    options: [
      ['--refresh-token-max-ttl <time>', 'maximum lifetime of its refresh tokens, or default'],
    ],
    rule: secondsFault,
    loosens: livesLonger('refreshTokenMaxTtl'),
  },
  access: {
    options: [['--access <who>', 'everybody, or listed: see `client allow`']],
    rule: mustBeOneOf(clientFields.access.of, sentence('refused.client.access')),
    loosens: (before, after) => before === 'listed' && after === 'everybody',
  },
  requireSecondFactor: {
    options: [
      ['--require-second-factor [on|off]', 'users sign in to it with a second factor or a passkey'],
    ],
    rule: null,
    loosens: turnedOff,
  },
  maxSignInAge: {
    options: [['--max-sign-in-age <time>', 'how old a sign-in may be, or default for any age']],
    rule: signInTimeFault,
    loosens: endsLater,
  },
  signInLife: {
    options: [
      ['--sign-in-life <time>', 'time until a new sign-in is needed, or default for no limit'],
    ],
    rule: signInTimeFault,
    loosens: endsLater,
  },
  networks: {
    options: [['--network <cidr>', 'a network that users may sign in to it from; can be repeated']],
    rule: networksFault,
    loosens: mayComeFromMore,
  },
  defaultApi: {
    options: [
      [
        '--default-api <identifier>',
        'API that its tokens are for if it names none, for software that cannot send resource',
      ],
    ],
    rule: ifGiven(defaultApiFault),
    // An app could name the API itself.
    loosens: never,
  },
  exchangeFor: {
    options: [
      [
        '--exchange-for <api>',
        'an API that it may exchange people’s tokens for, by its identifier (RFC 8693); can be repeated',
      ],
    ],
    rule: exchangeFault,
    loosens: added,
  },
  identityFor: {
    options: [
      [
        '--identity-for <issuer=client>',
        'a server that it may tell who signed in to it, and its client_id there (cross-app access); can be repeated, or none',
      ],
    ],
    rule: identityFault,
    loosens: changed,
  },
  identityGroups: {
    options: [
      [
        '--identity-group <issuer=group>',
        'the group that people have to be in for that server; can be repeated, or none',
      ],
    ],
    rule: identityGroupsFault,
    loosens: changed,
  },
  agent: {
    options: [
      [
        '--agent [on|off]',
        'it acts for people by itself: they can see that, and its owner answers for it',
      ],
    ],
    rule: null,
    // Otherwise people would no longer be told.
    loosens: turnedOff,
  },
  ldap: {
    options: [
      ['--ldap [on|off]', 'it reads the people and groups who may use it at the LDAP server'],
    ],
    rule: notIfPublic(true, sentence('refused.client.publicLdap')),
    loosens: turnedOn,
  },
  ldapPasswords: {
    options: [
      [
        '--ldap-passwords [on|off]',
        'people who need no second step bind for it with their own password, too',
      ],
    ],
    rule: null,
    loosens: turnedOn,
  },
  appPasswords: {
    options: [
      [
        '--app-passwords [on|off]',
        'people can make passwords for it alone, for programs that cannot open a browser',
      ],
    ],
    rule: null,
    loosens: turnedOn,
  },
  initiateLoginUri: {
    options: [
      ['--initiate-login-uri <url>', 'where a sign-in to it begins, opened from “Your apps”'],
    ],
    rule: ifGiven((uri) => ofRule(initiateLoginFault(uri))),
    loosens: leadsElsewhere,
  },
  claimShape: {
    options: [['--claim-shape <shape>', clientFields.claimShape.of.join(' or ')]],
    rule: mustBeOneOf(
      clientFields.claimShape.of,
      sentence('refused.client.claimShape', { shapes: either(clientFields.claimShape.of) }),
    ),
    loosens: (before, after) => after !== before,
  },
  groupsClaim: {
    options: [['--groups-claim <name>', 'the claim that holds the groups (groups)']],
    rule: groupsClaimFault,
    // The new name may be a claim that the app trusts for something else.
    loosens: replaced,
  },
  groupsPrefix: {
    options: [['--groups-prefix <text>', 'send it only groups that begin with this ("" for all)']],
    rule: groupsPrefixFault,
    loosens: tellsMore,
  },
  groupNames: {
    options: [
      [
        '--group-name <group=told>',
        'the name it gets instead of a group; can be repeated, or none',
      ],
    ],
    rule: groupNamesFault,
    loosens: changed,
  },
  constantClaims: {
    options: [
      [
        '--constant-claim <claim=value>',
        'a claim that is the same for everyone; can be repeated, or none',
      ],
    ],
    rule: constantClaimsFault,
    loosens: changed,
  },
  guardedSites: {
    options: [
      [
        '--guarded-site <address>',
        'a site that a proxy guards for it, such as https://app.example.org; can be repeated',
      ],
    ],
    rule: sitesFault,
    loosens: added,
  },
  openPaths: {
    options: [
      [
        '--open-path <prefix>',
        'a path on its guarded sites, with all below it, that needs no sign-in; can be repeated',
      ],
    ],
    rule: openPathsFault,
    loosens: added,
  },
  siteHeaders: {
    options: [
      [
        '--site-header <name=what>',
        `its own name for a header about the user: ${siteFacts.join(', ')}; can be repeated, or none`,
      ],
    ],
    rule: siteHeadersFault,
    loosens: changed,
  },
  passAuthorization: {
    options: [
      ['--pass-authorization [on|off]', 'its guarded sites get the Authorization header as sent'],
    ],
    rule: null,
    loosens: turnedOn,
  },
  passPreflights: {
    options: [
      [
        '--pass-preflights [on|off]',
        'its guarded sites answer CORS preflights, which need no sign-in then',
      ],
    ],
    rule: null,
    loosens: turnedOn,
  },
  recipe: {
    options: [
      [
        '--recipe <recipe>',
        'the recipe that it follows, from `recipe list`; `update` only records it for its page',
      ],
    ],
    rule: ifGiven(originFault),
    // It is only shown on a page of the dashboard.
    loosens: never,
  },
};

/** In the order in which the command line lists them. */
export const managedFields = Object.keys(clientManagement) as ClientField[];

export function clientFaults(client: ClientSettings, context: RuleContext): Faults {
  const faults: Faults = {};
  for (const field of clientFieldNames) {
    const fault = faultOf(field, client, context);
    if (fault) faults[field] = fault;
  }
  return faults;
}

function faultOf<Field extends ClientField>(
  field: Field,
  client: ClientSettings,
  context: RuleContext,
): ReturnType<Rule<never>> {
  const { rule }: Management<ClientSettings[Field]> = clientManagement[field];
  return rule?.(client[field], client, context);
}

/** The fields in which an edit loosens a client. Empty if it only tightens or rewords. */
export function looseningFields(
  before: ClientSettings,
  after: ClientSettings,
  around: Omit<LooseningContext, 'hosts'>,
): ClientField[] {
  const context = { ...around, hosts: before.redirectUris.map(hostOf) };
  return clientFieldNames.filter((field) => isLoosened(field, before, after, context));
}

function isLoosened<Field extends ClientField>(
  field: Field,
  before: ClientSettings,
  after: ClientSettings,
  context: LooseningContext,
): boolean {
  const { loosens }: Management<ClientSettings[Field]> = clientManagement[field];
  return loosens(before[field], after[field], context);
}
