import { config } from '../../config.ts';
import { networkFault } from '../../http/cidr.ts';
import { type Sentence, sentence } from '../../messages/sentence.ts';
import { type Api, isIdentifier, isWebIdentifier } from '../../oauth/api.ts';
import type { ClientSettings, FederatedCredential } from '../../oauth/client.ts';
import { federatedFault } from '../../oauth/federated-credential.ts';
import { grantTypesFault } from '../../oauth/grant-types.ts';
import { keySetFault } from '../../oauth/key-set.ts';
import { isSoundName, isSoundText } from '../../oauth/name.ts';
import {
  hostOfSite,
  isOpenPath,
  isSiteHeader,
  type Site,
  siteFacts,
  siteIn,
} from '../../oauth/site.ts';
import type { UserField } from '../../people/user-field.ts';
import { duration } from '../../settings/kinds.ts';
import { redirectUrisFault } from '../addresses.ts';
import { ofRule } from '../rule-fault.ts';

/** What a rule needs to know besides the client itself. */
export type RuleContext = {
  knownScopes: readonly string[];
  apis: readonly Pick<Api, 'identifier' | 'scopes'>[];
  /** Addresses that it has already, which need no further acknowledgement. */
  knownUris: readonly string[];
  allowInsecureRedirectUri: boolean;
  /** The fields of people, except those whose claims the client already uses for something else. */
  fields: readonly Pick<UserField, 'name' | 'label'>[];
  /** Hosts of its guarded sites that are guarded for other apps. */
  hostsTaken: readonly string[];
};

/** Returns what is wrong. It sees the whole client, for rules about several fields. */
export type Rule<T> = (
  value: T,
  client: ClientSettings,
  context: RuleContext,
) => Sentence | null | undefined | false;

/** A rule for a value that may be null. */
export const ifGiven =
  <T>(fault: (value: T) => Sentence | null): Rule<T | null> =>
  (value) =>
    value === null ? null : fault(value);

/** What is wrong with a name that people read. */
export const nameFault: Rule<string> = (name) =>
  !isSoundName(name, 100) && sentence('refused.client.name');

export const descriptionFault = ifGiven((text: string) =>
  isSoundText(text, 1000) ? null : sentence('refused.client.description'),
);

/** A value that a public client can't have, because it has no secret. */
export const notIfPublic =
  <T>(forbidden: T, fault: Sentence): Rule<T | null> =>
  (value, { type }) =>
    type === 'public' && value === forbidden && fault;

/** A public client can't: its users would have the private half of its keys. */
export const notIfPublicAndGiven =
  (fault: (value: string) => Sentence | null): Rule<string | null> =>
  (value, { type }) =>
    value !== null && (type === 'public' ? sentence('refused.client.publicKeys') : fault(value));

export const keysFault: Rule<string | null> = (jwks, client, context) =>
  notIfPublicAndGiven((text) =>
    client.jwksUri === null ? ofRule(keySetFault(text)) : sentence('refused.client.keysTwice'),
  )(jwks, client, context);

/** What is wrong with the issuers whose JWTs prove a client's identity. */
export const federatedRule: Rule<readonly FederatedCredential[]> = (credentials, client) => {
  if (credentials.length === 0) return null;
  if (client.type === 'public') return sentence('refused.client.publicFederated');
  if (client.jwks !== null || client.jwksUri !== null)
    return sentence('refused.client.federatedAndKeys');
  const own = credentials.find(({ issuer }) => issuer.replace(/\/$/, '') === config().issuer);
  return own
    ? sentence('refused.federated.own', { issuer: own.issuer })
    : ofRule(federatedFault(credentials));
};

export const mustBeOneOf =
  (words: readonly string[], fault: Sentence): Rule<string> =>
  (word) =>
    !words.includes(word) && fault;

export const grantsFault: Rule<readonly string[]> = (grants, { type }) =>
  ofRule(grantTypesFault(grants, type));

export const scopesFault: Rule<readonly string[] | null> = (scopes, _, { knownScopes, apis }) => {
  const unknown = scopes?.find((scope) => !knownScopes.includes(scope));
  if (unknown === undefined) return null;
  const api = apis.find((each) => each.scopes.some(({ name }) => name === unknown));
  return api
    ? sentence('refused.client.scopeOfApi', { scope: unknown, api: api.identifier })
    : sentence('refused.client.scope', { scope: unknown.slice(0, 60) });
};

/** The maximum number of APIs that a client may exchange tokens for. */
const mostExchanges = 50;

/** What is wrong with the APIs that a client may exchange tokens for. They need not exist yet. */
export const exchangeFault: Rule<readonly string[]> = (identifiers) => {
  if (identifiers.length > mostExchanges)
    return sentence('refused.client.tooManyExchanges', { most: mostExchanges });
  const wrong = identifiers.find((identifier) => !isIdentifier(identifier));
  return wrong === undefined
    ? null
    : sentence('refused.client.exchangeFor', { api: wrong.slice(0, 80) });
};

/** What is wrong with a client's default API. It need not exist yet. */
export const defaultApiFault = (identifier: string): Sentence | null =>
  isIdentifier(identifier)
    ? null
    : sentence('refused.client.exchangeFor', { api: identifier.slice(0, 80) });

const isName = (text: string) => /^[!-~][ -~]{0,199}$/.test(text);

export const identityFault: Rule<Readonly<Record<string, string>>> = (servers) => {
  const entries = Object.entries(servers);
  if (entries.length > mostExchanges)
    return sentence('refused.client.tooManyServers', { most: mostExchanges });
  const wrong = entries.find(([issuer, client]) => !isWebIdentifier(issuer) || !isName(client));
  return wrong === undefined
    ? null
    : sentence('refused.client.identityFor', { server: wrong[0].slice(0, 80) });
};

/** What is wrong with the groups that people must be in for these servers. */
export const identityGroupsFault: Rule<Readonly<Record<string, string>>> = (groups, client) => {
  const other = Object.entries(groups).find(
    ([issuer, group]) => !Object.hasOwn(client.identityFor, issuer) || group.length > 100,
  );
  return other === undefined
    ? null
    : sentence('refused.client.identityGroup', { server: other[0].slice(0, 80) });
};

/** What is wrong with addresses that browsers may be sent to. */
export const addressesFault: Rule<readonly string[]> = (uris, _, context) =>
  redirectUrisFault(uris, context.knownUris, context.allowInsecureRedirectUri);

export const redirectFault: Rule<readonly string[]> = (uris, client, context) =>
  client.type === 'public' && uris.length === 0 && client.grants.includes('authorization_code')
    ? sentence('refused.client.noRedirect')
    : addressesFault(uris, client, context);

/** A lifetime of a client's tokens, as forms read and show it. */
export const lifetime = duration(1);

export const timeFault = ({ takes }: typeof lifetime) =>
  sentence('refused.time', { takes: ofRule(takes) });

export const secondsFault = ifGiven((seconds: number) =>
  lifetime.parse(String(seconds)) === seconds ? null : timeFault(lifetime),
);

/** A time after a sign-in. It must leave people time to get through the sign-in and its consent. */
const signInTime = duration(60);

export const signInTimeFault = ifGiven((seconds: number) =>
  signInTime.parse(String(seconds)) === seconds ? null : timeFault(signInTime),
);

const mostNetworks = 50;

/** What is wrong with the networks that an app or a key is limited to. */
export function networksFault(networks: readonly string[]): Sentence | undefined {
  if (networks.length > mostNetworks)
    return sentence('refused.client.tooManyNetworks', { most: mostNetworks });
  return networks.map(networkFault).find((fault) => fault !== null);
}

const mostSites = 20;

/** What is wrong with the sites that a proxy guards for an app. */
export const sitesFault: Rule<readonly string[]> = (sites, client, { hostsTaken }) => {
  if (sites.length === 0) return null;
  if (client.type === 'public' || client.redirectUris.length > 0)
    return sentence('refused.client.siteBeside');
  if (sites.length > mostSites) return sentence('refused.address.tooMany');
  const named = sites.map((text) => ({ text: text.slice(0, 200), site: siteIn(text) }));
  const wrong = named.find(({ site }) => site === null);
  if (wrong) return sentence('refused.client.site', { site: wrong.text });
  const own = hostOfSite(siteIn(config().issuer) as Site);
  const hosts = named.map(({ site }) => hostOfSite(site as Site));
  if (hosts.includes(own)) return sentence('refused.client.siteOwn', { site: own });
  const twice = hosts.find((host, index) => hosts.indexOf(host) !== index);
  if (twice !== undefined) return sentence('refused.client.siteTwice', { site: twice });
  const taken = hosts.find((host) => hostsTaken.includes(host));
  return taken === undefined ? null : sentence('refused.client.siteTaken', { site: taken });
};

/** What is wrong with the prefixes of paths that need no sign-in. */
export const openPathsFault: Rule<readonly string[]> = (paths) => {
  const wrong = paths.length > 50 ? paths[50] : paths.find((path) => !isOpenPath(path));
  return wrong === undefined
    ? null
    : sentence('refused.client.openPath', { path: wrong.slice(0, 100) });
};

/** What is wrong with an app's own names for the headers about the user. */
export const siteHeadersFault: Rule<Readonly<Record<string, string>>> = (headers) => {
  const isWrong = ([name, fact]: [string, string], index: number) =>
    index >= 20 || !isSiteHeader(name) || !(siteFacts as readonly string[]).includes(fact);
  const wrong = Object.entries(headers).find(isWrong);
  return wrong === undefined
    ? null
    : sentence('refused.client.siteHeader', {
        header: wrong.join('=').slice(0, 100),
        facts: siteFacts.join(', '),
      });
};

export function clientIdFault(id: string): Sentence | null {
  // Dots alone would lead elsewhere in an address.
  const isSound = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,100}$/.test(id);
  return isSound ? null : sentence('refused.client.id');
}

/**
 * What is wrong with the recipe that is named as a client’s origin. Its answers are not checked
 * here but where they are used, because the recipe may ask something else by then, or be gone.
 */
export function originFault(origin: string): Sentence | null {
  const sound = /^(?:kind:[a-z]{1,20}|[a-z0-9-]{1,40}(?:\?[\x21-\x7e]*)?)$/.test(origin);
  return sound && origin.length <= 1000 ? null : sentence('refused.client.recipe');
}
