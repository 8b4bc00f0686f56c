import type { ScopeRow } from '../oauth/scope.ts';
import type { ProtocolSettings } from '../oauth/settings.ts';
import type { ClientSettings } from '../store/client-changes.ts';

/** What an edit of a client is judged against besides the client itself. */
export type LooseningContext = {
  /** The defaults for fields a client leaves open. */
  settings: Pick<ProtocolSettings, 'accessTokenTtl' | 'refreshTokenTtl' | 'refreshTokenMaxTtl'>;
  /** Scopes a client only gets by listing them. */
  sensitiveScopes: readonly string[];
};

type Rule<T> = (before: T, after: T, context: LooseningContext) => boolean;

const never = () => false;
const turnedOn: Rule<boolean> = (before, after) => after && !before;
const added = (before: readonly string[], after: readonly string[]) =>
  after.some((value) => !before.includes(value));
/**
 * A client's own requirement is stricter than the server's, which a later edit may lift; that is
 * stricter than none.
 */
const demandsLess: Rule<boolean | null> = (before, after) => rankOf(after) < rankOf(before);
const rankOf = (demand: boolean | null) => (demand === null ? 1 : demand ? 2 : 0);
const livesLonger =
  (key: keyof LooseningContext['settings']): Rule<number | null> =>
  (before, after, { settings }) =>
    (after ?? settings[key]) > (before ?? settings[key]);

/** For each field, whether a change gives the client, or anyone posing as it, more than before. */
const rules: { [Field in keyof ClientSettings]: Rule<ClientSettings[Field]> } = {
  // Text and links that people see.
  name: never,
  description: never,
  homePage: never,
  privacyLink: never,
  termsLink: never,
  // Changing the type creates or drops the secret.
  type: (before, after) => before !== after,
  grants: added,
  scopes: (before, after, { sensitiveScopes }) => {
    if (after === null) return before !== null;
    if (before === null) return after.some((scope) => sensitiveScopes.includes(scope));
    return added(before, after);
  },
  // With none registered, a request may name its own if the settings allow it.
  redirectUris: (before, after) =>
    added(before, after) || (after.length === 0 && before.length > 0),
  postLogoutRedirectUris: added,
  backchannelLogoutUri: (before, after) => after !== null && after !== before,
  requirePkce: demandsLess,
  requireClientAuthOnRefresh: demandsLess,
  firstParty: turnedOn,
  resourceServer: turnedOn,
  sendIss: (before, after) => before && !after,
  idTokenAlg: never,
  // Reveals nothing the first answer didn't.
  idTokenOnRefresh: never,
  accessTokenTtl: livesLonger('accessTokenTtl'),
  refreshTokenTtl: livesLonger('refreshTokenTtl'),
  refreshTokenMaxTtl: livesLonger('refreshTokenMaxTtl'),
};

const fields = Object.keys(rules) as (keyof ClientSettings)[];

/** The fields in which an edit loosens a client. Empty if it only tightens or rewords. */
export function looseningFields(
  before: ClientSettings,
  after: ClientSettings,
  context: LooseningContext,
): (keyof ClientSettings)[] {
  return fields.filter((field) => loosens(field, before, after, context));
}

function loosens<Field extends keyof ClientSettings>(
  field: Field,
  before: ClientSettings,
  after: ClientSettings,
  context: LooseningContext,
): boolean {
  const rule: Rule<ClientSettings[Field]> = rules[field];
  return rule(before[field], after[field], context);
}

type JudgedScope = Pick<ScopeRow, 'isDefault' | 'sensitive'>;

/**
 * Whether an edit of a scope gives clients more: clients without a list get every non-sensitive
 * scope, and requests without `scope` get the defaults. `before` is null for a new scope.
 */
export function scopeLoosens(before: JudgedScope | null, after: JudgedScope): boolean {
  const nobodys: JudgedScope = { isDefault: false, sensitive: true };
  const { isDefault, sensitive } = before ?? nobodys;
  return (sensitive && !after.sensitive) || (after.isDefault && !isDefault);
}
