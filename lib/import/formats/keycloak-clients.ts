import { z } from 'zod';
import { ofRule } from '../../management/rule-fault.ts';
import { type Sentence, sentence } from '../../messages/sentence.ts';
import { backchannelFault, linkFault } from '../../oauth/client-links.ts';
import { deviceGrant, type GrantType } from '../../oauth/grant-types.ts';
import type { Wording } from '../../oauth/wording.ts';
import {
  type ArrivingClient,
  maybeText,
  maybeTrue,
  readSecret,
  scalar,
  texts,
} from '../arrivals.ts';
import { filledIn } from '../placeholder.ts';
import { keptAddresses } from './keycloak-addresses.ts';

/** The exact value: nothing of a secret may be trimmed. */
const exactText = scalar
  .nullish()
  .transform((said) => said ?? undefined)
  .catch(undefined);
const soft = maybeText.catch(undefined);
/** A map of texts. Values of other shapes are left out. */
const map = z
  .record(z.string(), scalar.nullable().catch(null))
  .nullish()
  .transform((said) => said ?? {})
  .catch({});
/** Distinguishes no list from an empty one. */
const listOrNone = (said: unknown): string[] | undefined =>
  said === undefined || said === null ? undefined : texts.safeParse(said).data;
const maybeSeconds = scalar.transform(Number).nullish().catch(null);

const mapper = z.looseObject({ name: soft, protocolMapper: soft, config: map });

/** The parts of Keycloak's `ClientRepresentation` that are read here. */
export const keycloakClient = z.looseObject({
  clientId: scalar,
  name: soft,
  description: soft,
  rootUrl: soft,
  baseUrl: soft,
  enabled: maybeTrue,
  clientAuthenticatorType: maybeText,
  secret: exactText,
  redirectUris: texts,
  bearerOnly: maybeTrue,
  consentRequired: maybeTrue,
  standardFlowEnabled: maybeTrue,
  implicitFlowEnabled: maybeTrue,
  directAccessGrantsEnabled: maybeTrue,
  serviceAccountsEnabled: maybeTrue,
  authorizationServicesEnabled: maybeTrue,
  publicClient: maybeTrue,
  protocol: maybeText,
  attributes: map,
  protocolMappers: z.array(mapper).nullish().catch(null),
  defaultClientScopes: z.unknown().optional().transform(listOrNone),
  optionalClientScopes: z.unknown().optional().transform(listOrNone),
});
type Said = z.output<typeof keycloakClient>;

/** What the realm decides if the client does not. */
export const realmSaid = {
  accessTokenLifespan: maybeSeconds,
  ssoSessionIdleTimeout: maybeSeconds,
  ssoSessionMaxLifespan: maybeSeconds,
  defaultDefaultClientScopes: z.unknown().optional().transform(listOrNone),
  defaultOptionalClientScopes: z.unknown().optional().transform(listOrNone),
};
type Realm = z.output<z.ZodObject<typeof realmSaid>>;

/** Every realm has these clients, for Keycloak itself. */
const ownClients = new Set([
  'account',
  'account-console',
  'admin-cli',
  'broker',
  'realm-management',
  'security-admin-console',
]);

/** The clients of a realm. @param groups the names of its groups */
export function clientsOf(
  said: readonly Said[],
  realm: Realm,
  groups: readonly string[],
): ArrivingClient[] {
  const others = said.filter(({ clientId }) => !ownClients.has(clientId));
  return others.map((client) => clientOf(client, realm, groups));
}

function clientOf(said: Said, realm: Realm, groups: readonly string[]): ArrivingClient {
  const name = nameOf(said);
  const bare = { id: said.clientId, settings: { name }, notes: [] };
  const staysBehind = whyLeftBehind(said);
  if (staysBehind) return { ...bare, staysBehind };
  const isPublic = said.publicClient === true;
  const keys = isPublic ? {} : keysOf(said);
  const hasKeys = Object.keys(keys).length > 0;
  const secret: ReturnType<typeof readSecret> =
    isPublic || hasKeys ? { notes: [] } : readSecret(said.secret, said.clientId);
  const { settings, notes } = settingsOf(said, realm);
  const claims = claimsOf(said, groups);
  const { scopes, notes: scopeNotes } = scopesOf(said, realm);
  const asked = ['openid', ...scopes, ...(claims.settings.groupsClaim ? ['groups'] : [])];
  const needsAddress = settings.grants.includes('authorization_code');
  const noAddress = needsAddress && settings.redirectUris.length === 0;
  return {
    id: said.clientId,
    settings: { ...settings, ...keys, ...claims.settings, name, scopes: [...new Set(asked)] },
    disabled: said.enabled === false,
    secretHash: secret.secretHash,
    fault: secret.fault ?? (noAddress ? sentence('refused.move.noRedirect') : undefined),
    notes: [...secret.notes, ...notes, ...claims.notes, ...scopeNotes],
  };
}

/**
 * What a client may ask for. Keycloak before 4 and files written by hand have no lists: then those
 * of the realm count, and else the ones that Keycloak gives every realm.
 */
function scopesOf(said: Said, realm: Realm): { scopes: string[]; notes: Sentence[] } {
  const { defaultClientScopes: usual, optionalClientScopes: optional } = said;
  if (usual || optional) return { scopes: [...(usual ?? []), ...(optional ?? [])], notes: [] };
  const ofRealm = [
    ...(realm.defaultDefaultClientScopes ?? ['profile', 'email']),
    ...(realm.defaultOptionalClientScopes ?? ['address', 'phone', 'offline_access']),
  ];
  const names = ofRealm.slice(0, 30).join(', ').slice(0, 500);
  return { scopes: ofRealm, notes: [sentence('moved.scopes.usual', { names })] };
}

/** The name may only be the key of one of Keycloak’s messages. */
const nameOf = ({ name, clientId }: Said) => (filledIn(name) ?? clientId).slice(0, 100);

function whyLeftBehind({ protocol, bearerOnly, clientAuthenticatorType: way, ...said }: Said) {
  if (protocol !== undefined && protocol !== 'openid-connect')
    return sentence('moved.behind.protocol', { protocol: protocol.slice(0, 40) });
  if (bearerOnly) return sentence('moved.behind.bearerOnly');
  const hasSecret = way === undefined || way === 'client-secret';
  if (
    !said.publicClient &&
    !hasSecret &&
    Object.keys(keysOf({ ...said, clientAuthenticatorType: way })).length === 0
  )
    return sentence('moved.behind.authentication', { way: way.slice(0, 40) });
  return grantsOf(said).length === 0 ? sentence('moved.behind.noFlow') : undefined;
}

/** The public keys of a client that signs assertions; none if it has a secret or certificate. */
function keysOf({
  clientAuthenticatorType: way,
  attributes,
}: Pick<Said, 'clientAuthenticatorType' | 'attributes'>): { jwks?: string; jwksUri?: string } {
  if (way !== 'client-jwt') return {};
  const said = attributes ?? {};
  if (said['use.jwks.url'] === 'true' && said['jwks.url']) return { jwksUri: said['jwks.url'] };
  if (said['use.jwks.string'] === 'true' && said['jwks.string'])
    return { jwks: said['jwks.string'] };
  return {};
}

type Flows = Pick<
  Said,
  'standardFlowEnabled' | 'serviceAccountsEnabled' | 'publicClient' | 'attributes'
>;

function grantsOf({ standardFlowEnabled, serviceAccountsEnabled, ...said }: Flows): GrantType[] {
  const attributes = said.attributes ?? {};
  const signsIn: GrantType[] = [];
  // On by default, as in Keycloak.
  if (standardFlowEnabled !== false) signsIn.push('authorization_code');
  if (attributes['oauth2.device.authorization.grant.enabled'] === 'true') signsIn.push(deviceGrant);
  const refreshes = signsIn.length > 0 && attributes['use.refresh.tokens'] !== 'false';
  const forItself = serviceAccountsEnabled === true && said.publicClient !== true;
  return [
    ...signsIn,
    ...(refreshes ? (['refresh_token'] as const) : []),
    ...(forItself ? (['client_credentials'] as const) : []),
  ];
}

function settingsOf(said: Said, realm: Realm) {
  const attributes = said.attributes ?? {};
  const root = filledIn(said.rootUrl);
  const redirects = keptAddresses(said.redirectUris, root);
  const postLogout = postLogoutOf(attributes['post.logout.redirect.uris'], redirects.uris, root);
  const pkce = attributes['pkce.code.challenge.method'];
  const alg = attributes['id.token.signed.response.alg'];
  const logout = attributes['backchannel.logout.url'] || null;
  const links = {
    homePage: said.baseUrl?.startsWith('/') ? `${root ?? ''}${said.baseUrl}` : said.baseUrl,
    privacyLink: attributes.policyUri,
    termsLink: attributes.tosUri,
  };
  const { life, idle, max } = livesOf(attributes, realm);
  const settings = {
    type: said.publicClient ? ('public' as const) : ('confidential' as const),
    description: said.description?.slice(0, 1000) ?? null,
    grants: grantsOf(said),
    redirectUris: redirects.uris,
    postLogoutRedirectUris: postLogout.uris,
    backchannelLogoutUri: logout && !backchannelFault(logout) ? logout : null,
    homePage: soundLink(links.homePage),
    privacyLink: soundLink(links.privacyLink),
    termsLink: soundLink(links.termsLink),
    requirePkce: pkce ? true : null,
    firstParty: said.consentRequired !== true,
    sendIss: attributes['exclude.issuer.from.auth.response'] !== 'true',
    idTokenAlg: alg === 'ES256' ? ('ES256' as const) : ('RS256' as const),
    accessTokenTtl: life,
    refreshTokenTtl: idle,
    refreshTokenMaxTtl: max,
  };
  const logoutFault = logout ? backchannelFault(logout) : null;
  const notes = [
    ...redirects.notes,
    ...postLogout.notes,
    ...(logout && logoutFault ? [leftOut(logout, logoutFault)] : []),
    ...notesOnFlows(said, pkce, alg),
  ];
  return { settings, notes };
}

const leftOut = (address: string, fault: Wording) =>
  sentence('moved.address.left', { address: address.slice(0, 200), fault: ofRule(fault) });

const soundLink = (uri: string | null | undefined) => (uri && !linkFault(uri) ? uri : null);

/** `+`, or no value at all, means the redirect URIs; `-` means none; `##` separates several. */
function postLogoutOf(said: string | null | undefined, redirects: string[], root?: string) {
  const parts = said ? said.split('##', 200) : ['+'];
  const named = parts.filter((part) => part !== '+' && part !== '-' && part !== '');
  const kept = keptAddresses(named, root);
  const all = parts.includes('+') ? [...redirects, ...kept.uris] : kept.uris;
  return { uris: [...new Set(all)].slice(0, 100), notes: kept.notes };
}

/** In seconds; null: the server's default. */
function livesOf(attributes: NonNullable<Said['attributes']>, realm: Realm) {
  const of = (name: string, usual: number | null | undefined) => {
    const seconds = Number(attributes[name] || (usual ?? 0));
    return Number.isSafeInteger(seconds) && seconds > 0 ? seconds : null;
  };
  return {
    life: of('access.token.lifespan', realm.accessTokenLifespan),
    idle: of('client.session.idle.timeout', realm.ssoSessionIdleTimeout),
    max: of('client.session.max.lifespan', realm.ssoSessionMaxLifespan),
  };
}

function notesOnFlows(said: Said, pkce?: string | null, alg?: string | null): Sentence[] {
  const attributes = said.attributes ?? {};
  const lost = [
    said.implicitFlowEnabled && 'implicit',
    said.directAccessGrantsEnabled && 'password',
    said.authorizationServicesEnabled && 'authorization services',
    attributes['oidc.ciba.grant.enabled'] === 'true' && 'CIBA',
    attributes['frontchannel.logout.url'] && 'front-channel logout',
  ].filter((name): name is string => Boolean(name));
  const exchanges = attributes['standard.token.exchange.enabled'] === 'true';
  const isNewToPkce = pkce === 'plain' || (said.publicClient === true && !pkce);
  const isOtherAlg = alg && !['any', 'RS256', 'ES256'].includes(alg);
  return [
    ...(lost.length > 0 ? [sentence('moved.flows', { names: lost.join(', ') })] : []),
    ...(exchanges ? [sentence('moved.exchange')] : []),
    ...(isNewToPkce ? [sentence('moved.pkce')] : []),
    ...(isOtherAlg ? [sentence('moved.alg', { alg: alg.slice(0, 20) })] : []),
    ...(said.consentRequired !== true ? [sentence('moved.noConsent')] : []),
  ];
}

/** Mappers whose claims apps are told here anyway. */
const toldAnyway =
  /^oidc-(usermodel-(property|attribute)-mapper|full-name-mapper|sub-mapper|usersessionmodel-note-mapper|address-mapper|acr-mapper|audience-mapper|amr-mapper|allowed-origins-mapper)$/;

/** The claims of its own mappers. Groups and constants come along; others are only noted. */
function claimsOf(said: Said, groups: readonly string[]) {
  const notes: Sentence[] = [];
  const settings: {
    groupsClaim?: string;
    groupNames?: Record<string, string>;
    constantClaims?: Record<string, string>;
  } = {};
  const left: string[] = [];
  const constants: [string, string][] = [];
  for (const { name = '', protocolMapper: kind = '', config } of said.protocolMappers ?? []) {
    const claim = config?.['claim.name'] ?? '';
    if (kind === 'oidc-group-membership-mapper' && claim && !settings.groupsClaim) {
      settings.groupsClaim = claim;
      if (config?.['full.path'] !== 'false') {
        const paths = groups.slice(0, 200).map((path) => [path, `/${path}`] as const);
        settings.groupNames = Object.fromEntries(paths);
        if (groups.length > 200) left.push('/');
      }
    } else if (kind === 'oidc-hardcoded-claim-mapper' && claim)
      constants.push([claim, config?.['claim.value'] ?? '']);
    else if (kind === 'oidc-sha256-pairwise-sub-mapper') notes.push(sentence('moved.pairwise'));
    else if (!toldAnyway.test(kind)) left.push((claim || name).slice(0, 60));
  }
  if (constants.length > 0) settings.constantClaims = Object.fromEntries(constants);
  if (left.length > 0)
    notes.push(sentence('moved.claims', { names: left.slice(0, 20).join(', ') }));
  return { settings, notes };
}
