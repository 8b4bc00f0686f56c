import type { ClientSettings } from '../oauth/client.ts';
import { grantTypesFault } from '../oauth/grant-types.ts';
import { redirectUrisFault } from './addresses.ts';

const maxSeconds = 315_360_000;

/** What a rule has to know besides the client itself. */
export type RuleContext = {
  knownScopes: readonly string[];
  /** Addresses it has already; they need no further acknowledgement. */
  knownUris: readonly string[];
  allowInsecureRedirectUri: boolean;
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

export const scopesFault: Rule<readonly string[] | null> = (scopes, _, { knownScopes }) => {
  const unknown = scopes?.find((scope) => !knownScopes.includes(scope));
  return unknown === undefined
    ? null
    : `There is no scope "${unknown.slice(0, 60)}". Create it first.`;
};

/** What is wrong with addresses that a browser may be sent to. */
export const addressesFault: Rule<readonly string[]> = (uris, _, context) =>
  redirectUrisFault(uris, context.knownUris, context.allowInsecureRedirectUri);

export const redirectFault: Rule<readonly string[]> = (uris, client, context) =>
  client.type === 'public' && uris.length === 0
    ? 'Public clients need at least one redirect URI.'
    : addressesFault(uris, client, context);

export const secondsFault = ifGiven((seconds: number) =>
  Number.isInteger(seconds) && seconds >= 1 && seconds <= maxSeconds
    ? null
    : `Enter a lifetime in whole seconds, from 1 to ${maxSeconds}.`,
);

/** What is wrong with a client_id that an admin chose: it stands in addresses and in Basic credentials. */
export function clientIdFault(id: string): string | null {
  return /^[A-Za-z0-9._~-]{1,100}$/.test(id)
    ? null
    : 'Use 1 to 100 letters, digits and . _ ~ - in a client_id.';
}
