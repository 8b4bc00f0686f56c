import { networkFault } from '../../http/cidr.ts';
import type { Api } from '../../oauth/api.ts';
import type { ClientSettings } from '../../oauth/client.ts';
import { grantTypesFault } from '../../oauth/grant-types.ts';
import type { UserField } from '../../people/user-field.ts';
import { duration } from '../../settings/kinds.ts';
import { redirectUrisFault } from '../addresses.ts';

/** What a rule has to know besides the client itself. */
export type RuleContext = {
  knownScopes: readonly string[];
  apis: readonly Pick<Api, 'identifier' | 'scopes'>[];
  /** Addresses it has already; they need no further acknowledgement. */
  knownUris: readonly string[];
  allowInsecureRedirectUri: boolean;
  /** The fields of people, without those whose claims it has made its own already. */
  fields: readonly Pick<UserField, 'name' | 'label'>[];
};

/**
 * What must hold of a field: gives the sentence that says what does not. It sees the rest of the
 * client, too, for what depends on another field.
 */
export type Rule<T> = (
  value: T,
  client: ClientSettings,
  context: RuleContext,
) => string | null | undefined | false;

/** A rule for a value that may be left out. */
export const ifGiven =
  <T>(fault: (value: T) => string | null): Rule<T | null> =>
  (value) =>
    value === null ? null : fault(value);

/** What is wrong with a name that people read. */
export const nameFault: Rule<string> = (name) =>
  !/^\P{C}{1,100}$/u.test(name) && 'Enter a name of 1 to 100 characters.';

export const descriptionFault = ifGiven((text: string) =>
  /^(?:[^\p{Cc}\p{Cs}]|[\t\r\n]){1,1000}$/u.test(text)
    ? null
    : 'Use up to 1000 characters in the description, without control characters.',
);

/** What a public client may not be told, for it has no secret. */
export const notIfPublic =
  <T>(forbidden: T, sentence: string): Rule<T | null> =>
  (value, { type }) =>
    type === 'public' && value === forbidden && sentence;

/** One of the words that a field knows. */
export const oneOf =
  (words: readonly string[], sentence: string): Rule<string> =>
  (word) =>
    !words.includes(word) && sentence;

export const grantsFault: Rule<readonly string[]> = (grants, { type }) =>
  grantTypesFault(grants, type);

export const scopesFault: Rule<readonly string[] | null> = (scopes, _, { knownScopes, apis }) => {
  const unknown = scopes?.find((scope) => !knownScopes.includes(scope));
  if (unknown === undefined) return null;
  const api = apis.find((each) => each.scopes.some(({ name }) => name === unknown));
  return api
    ? `"${unknown}" is a scope of the API ${api.identifier}, which says who may ask for it. Leave it out here: the client sends resource.`
    : `There is no scope "${unknown.slice(0, 60)}". Create it first.`;
};

/** What is wrong with addresses that a browser may be sent to. */
export const addressesFault: Rule<readonly string[]> = (uris, _, context) =>
  redirectUrisFault(uris, context.knownUris, context.allowInsecureRedirectUri);

export const redirectFault: Rule<readonly string[]> = (uris, client, context) =>
  client.type === 'public' && uris.length === 0 && client.grants.includes('authorization_code')
    ? 'Public clients need at least one redirect URI.'
    : addressesFault(uris, client, context);

/** A lifetime of a client's tokens, as a form takes and shows it. */
export const lifetime = duration(1);

export const secondsFault = ifGiven((seconds: number) =>
  lifetime.parse(String(seconds)) === seconds ? null : `Enter ${lifetime.takes}.`,
);

/** A time after a sign-in. People have to get through a sign-in and its consent in it. */
const signInTime = duration(60);

export const signInTimeFault = ifGiven((seconds: number) =>
  signInTime.parse(String(seconds)) === seconds ? null : `Enter ${signInTime.takes}.`,
);

const mostNetworks = 50;

/** What is wrong with the networks that an app or a key is kept to. */
export function networksFault(networks: readonly string[]): string | undefined {
  if (networks.length > mostNetworks) return `List up to ${mostNetworks} networks.`;
  return networks.map(networkFault).find((fault) => fault !== null);
}

/** What is wrong with a client_id that an admin chose: it stands in addresses and in Basic credentials. */
export function clientIdFault(id: string): string | null {
  // Dots alone lead elsewhere in an address.
  return /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,100}$/.test(id)
    ? null
    : 'Use 1 to 100 letters, digits and . _ ~ - in a client_id, not dots alone.';
}

/**
 * What is wrong with the recipe that somebody names as a client’s origin, in a sentence. Its answers are
 * judged where they are used: the recipe may ask something else by then, or be gone.
 */
export function originFault(origin: string): string | null {
  const sound = /^(?:kind:[a-z]{1,20}|[a-z0-9-]{1,40}(?:\?[\x21-\x7e]*)?)$/.test(origin);
  return sound && origin.length <= 1000
    ? null
    : 'A recipe is its id, and after a question mark its answers in form encoding.';
}
