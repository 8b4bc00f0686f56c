/*
 * Claims as providers write them. Each row says who does, and what they mean here.
 */

/** A person's groups in the claim `groups`; the groups `finance` and `7` are mapped. */
type SaidGroups = {
  source: string;
  claims: Record<string, unknown>;
  /** The mapped groups that the person is in; `as before`: nothing changes. */
  groups: ('finance' | '7')[] | 'as before';
};

const anothers = ['hr', 'sales'];

export const saidGroups: readonly SaidGroups[] = [
  {
    source: 'Keycloak, Authentik, Okta, Authelia: a list',
    claims: { groups: ['finance', 'hr'] },
    groups: ['finance'],
  },
  { source: 'Keycloak, Auth0: no group, so no claim', claims: {}, groups: [] },
  { source: 'Okta, Authentik: no group, an empty list', claims: { groups: [] }, groups: [] },
  { source: 'Cognito, JumpCloud: null', claims: { groups: null }, groups: [] },
  {
    source: 'a mapper of one value (Keycloak, ADFS): a text',
    claims: { groups: 'finance' },
    groups: ['finance'],
  },
  { source: 'an empty text', claims: { groups: '' }, groups: [] },
  { source: 'GitLab, Zitadel: ids as numbers', claims: { groups: [7, 8] }, groups: ['7'] },
  { source: 'one number', claims: { groups: 7 }, groups: ['7'] },
  { source: 'other groups only', claims: { groups: anothers }, groups: [] },
  {
    source: 'Keycloak with full group path: another name',
    claims: { groups: ['/finance'] },
    groups: [],
  },
  {
    source: 'a text with commas is one value, as in Kubernetes and Argo CD',
    claims: { groups: 'hr,finance' },
    groups: [],
  },
  { source: 'a text with blanks', claims: { groups: 'hr finance' }, groups: [] },
  {
    source: 'a list as a text (Cognito’s custom attributes)',
    claims: { groups: '[finance, hr]' },
    groups: [],
  },
  {
    source: 'Entra’s userinfo behind a load balancer of AWS: lists in texts',
    claims: { groups: ['["hr","finance"]'] },
    groups: ['finance'],
  },
  { source: 'a list in JSON', claims: { groups: '["finance"]' }, groups: ['finance'] },
  { source: 'no list after all', claims: { groups: '["finance"' }, groups: [] },
  { source: 'capitals are another name', claims: { groups: ['Finance'] }, groups: [] },
  {
    source: 'a list with nulls and objects',
    claims: { groups: [null, { name: 'finance' }, 'finance'] },
    groups: ['finance'],
  },
  {
    source: 'ZITADEL: roles as keys',
    claims: { groups: { finance: { 1: 'a.example' }, hr: {} } },
    groups: ['finance'],
  },
  { source: 'a boolean', claims: { groups: true }, groups: [] },
  {
    source: 'Entra, too many to list: _claim_names',
    claims: {
      _claim_names: { groups: 'src1' },
      _claim_sources: { src1: { endpoint: 'https://graph.example' } },
    },
    groups: 'as before',
  },
  {
    source: 'Entra, too many to list: hasgroups',
    claims: { hasgroups: true },
    groups: 'as before',
  },
  { source: 'Entra, the same as a text', claims: { hasgroups: 'true' }, groups: 'as before' },
  {
    source: 'Entra, too many to list: groups:src1',
    claims: { 'groups:src1': 'https://graph.example' },
    groups: 'as before',
  },
  {
    source: 'claims elsewhere, but not the groups (OpenID Connect Core 5.6.2)',
    claims: { _claim_names: { address: 'src1' } },
    groups: [],
  },
  { source: 'hasgroups that says no', claims: { hasgroups: false }, groups: [] },
];

/** Groups in other claims, by the name under which an admin finds them. */
export const namedGroups: readonly (SaidGroups & { claim: string })[] = [
  {
    source: 'Keycloak: roles of the realm',
    claim: 'realm_access.roles',
    claims: { realm_access: { roles: ['finance', 'hr'] } },
    groups: ['finance'],
  },
  {
    source: 'Keycloak: roles of a client whose id has dots',
    claim: 'resource_access.my.app.roles',
    claims: { resource_access: { account: { roles: ['7'] }, 'my.app': { roles: ['finance'] } } },
    groups: ['finance'],
  },
  {
    source: 'Auth0: an address as a name',
    claim: 'https://app.example.org/groups',
    claims: { 'https://app.example.org/groups': ['finance'] },
    groups: ['finance'],
  },
  {
    source: 'Cognito',
    claim: 'cognito:groups',
    claims: { 'cognito:groups': ['finance'] },
    groups: ['finance'],
  },
  {
    source: 'ZITADEL: roles of a project',
    claim: 'urn:zitadel:iam:org:project:roles',
    claims: { 'urn:zitadel:iam:org:project:roles': { finance: { 1: 'a.example' } } },
    groups: ['finance'],
  },
  {
    source: 'a name with a dot is meant before a part',
    claim: 'a.b',
    claims: { a: { b: ['7'] }, 'a.b': ['finance'] },
    groups: ['finance'],
  },
  { source: 'null on the way', claim: 'a.b', claims: { a: null }, groups: [] },
  { source: 'a list on the way', claim: 'a.b', claims: { a: [{ b: 'finance' }] }, groups: [] },
  { source: 'what every object has', claim: 'constructor.name', claims: {}, groups: [] },
];

/** How long ago, in seconds, a sign-in was that a provider reports; null: it does not say. */
type SaidTime = {
  source: string;
  auth_time: (now: number) => unknown;
  ago: number | null;
  /** An ID token with it is refused by our OpenID client, so that no one is signed in at all. */
  noIdToken?: true;
};

export const saidTimes: readonly SaidTime[] = [
  { source: 'OpenID Connect Core 2: seconds', auth_time: (now) => now - 3600, ago: 3600 },
  { source: 'GitHub, Entra by default: absent', auth_time: () => undefined, ago: null },
  { source: 'fractions of a second', auth_time: (now) => now - 3600 + 0.25, ago: 3600 },
  { source: 'milliseconds (Java’s clock)', auth_time: (now) => (now - 3600) * 1000, ago: 3600 },
  { source: 'in two hours', auth_time: (now) => now + 7200, ago: null },
  {
    source: 'a text of digits',
    auth_time: (now) => String(now - 3600),
    ago: 3600,
    noIdToken: true,
  },
  {
    source: 'a text with a zone',
    auth_time: () => '2026-01-01T00:00:00Z',
    ago: null,
    noIdToken: true,
  },
  { source: 'null', auth_time: () => null, ago: null, noIdToken: true },
  { source: 'zero', auth_time: () => 0, ago: null },
  { source: 'before 1970', auth_time: () => -5, ago: null, noIdToken: true },
  { source: 'a list', auth_time: (now) => [now], ago: null, noIdToken: true },
];

/** Whether a provider reports more than one factor. */
export const saidFactors: readonly { source: string; amr: unknown; mfa: boolean }[] = [
  { source: 'Okta, Authentik, Authelia', amr: ['pwd', 'otp', 'mfa'], mfa: true },
  { source: 'Entra', amr: ['pwd', 'mfa'], mfa: true },
  { source: 'AD FS', amr: ['http://schemas.microsoft.com/claims/multipleauthn'], mfa: true },
  { source: 'one method as a text', amr: 'mfa', mfa: true },
  {
    source: 'Entra’s userinfo, Keycloak’s mapper: a list in a text',
    amr: '["pwd","mfa"]',
    mfa: true,
  },
  { source: 'Entra’s userinfo: a list in a text without it', amr: '["pwd"]', mfa: false },
  { source: 'Supabase: objects', amr: [{ method: 'totp', timestamp: 1703721600 }], mfa: false },
  { source: 'the German health cards', amr: ['mfa', 'sc', 'pin'], mfa: true },
  { source: 'Google, GitLab: absent', amr: undefined, mfa: false },
  { source: 'null', amr: null, mfa: false },
  { source: 'a password', amr: ['pwd'], mfa: false },
  { source: 'one factor of possession', amr: ['otp'], mfa: false },
  { source: 'capitals', amr: ['MFA'], mfa: false },
  { source: 'a text with blanks', amr: 'pwd mfa', mfa: false },
  { source: 'a number', amr: 2, mfa: false },
  { source: 'an object without it', amr: { method: 'mfa' }, mfa: false },
];

/** The scopes that a provider says it gave, for some that it was asked for. */
export const saidScopes: readonly {
  source: string;
  asked: string[];
  scope: unknown;
  lacking: string[];
}[] = [
  {
    source: 'RFC 6749 5.1: nothing, so all',
    asked: ['openid', 'email'],
    scope: undefined,
    lacking: [],
  },
  {
    source: 'Keycloak: another order',
    asked: ['openid', 'email'],
    scope: 'email openid',
    lacking: [],
  },
  {
    source: 'Keycloak: more than asked',
    asked: ['openid'],
    scope: 'openid profile email',
    lacking: [],
  },
  {
    source: 'Okta, Authelia: one is not for this client',
    asked: ['openid', 'email', 'groups'],
    scope: 'openid email',
    lacking: ['groups'],
  },
  {
    source: 'Google: some as addresses',
    asked: ['openid', 'profile', 'email'],
    scope:
      'https://www.googleapis.com/auth/userinfo.email openid https://www.googleapis.com/auth/userinfo.profile',
    lacking: [],
  },
  {
    source: 'Google: a person who unticked the profile',
    asked: ['openid', 'profile', 'email'],
    scope: 'openid https://www.googleapis.com/auth/userinfo.email',
    lacking: ['profile'],
  },
  {
    source: 'Entra: a resource before some',
    asked: ['openid', 'email', 'User.Read'],
    scope: 'openid email https://graph.microsoft.com/User.Read',
    lacking: [],
  },
  {
    source: 'Entra: no offline_access',
    asked: ['openid', 'offline_access'],
    scope: 'openid',
    lacking: [],
  },
  {
    source: 'GitHub: commas, and more than asked',
    asked: ['read:user', 'user:email'],
    scope: 'repo,user',
    lacking: [],
  },
  {
    source: 'GitHub: an app that was allowed before with less',
    asked: ['read:user', 'user:email'],
    scope: 'read:user',
    lacking: ['user:email'],
  },
  { source: 'GitHub: nothing', asked: ['read:user'], scope: '', lacking: ['read:user'] },
  { source: 'Discord', asked: ['identify', 'email'], scope: 'identify', lacking: ['email'] },
  { source: 'Twitch: a list', asked: ['openid'], scope: ['openid'], lacking: [] },
];

/** Whether a provider of the kind `openid` vouches for the address. */
export const saidVerified: readonly { source: string; value: unknown; verified: boolean }[] = [
  { source: 'OpenID Connect Core 5.1', value: true, verified: true },
  { source: 'Cognito, some of Keycloak’s mappers: a text', value: 'true', verified: false },
  { source: 'a number', value: 1, verified: false },
  { source: 'absent', value: undefined, verified: false },
  { source: 'null', value: null, verified: false },
  { source: 'not verified', value: false, verified: false },
  { source: 'a list', value: [true], verified: false },
];

/** The name that an account would have which is made at a provider's word. */
export const saidNames: readonly {
  source: string;
  claims: Record<string, unknown>;
  name: string;
}[] = [
  {
    source: 'OpenID Connect Core 5.1',
    claims: { name: 'Ann Lee', given_name: 'A.' },
    name: 'Ann Lee',
  },
  {
    source: 'Cognito, AD FS, FranceConnect: the parts',
    claims: { given_name: 'Ann', family_name: 'Lee' },
    name: 'Ann Lee',
  },
  { source: 'Okta with a minimal profile', claims: { name: '', family_name: 'Lee' }, name: 'Lee' },
  { source: 'Apple, Entra without profile', claims: { name: null }, name: '' },
  { source: 'an object', claims: { name: { first: 'Ann' } }, name: '' },
];
