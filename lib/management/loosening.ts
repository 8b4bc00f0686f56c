import type { ScopeRow } from '../oauth/scope.ts';
import type { ProtocolSettings } from '../oauth/settings.ts';
import type { ClientSettings } from '../store/client-changes.ts';

/** What an edit of a client is judged by besides the client itself. */
export type LooseningContext = {
  /** Where a client says nothing, these hold. */
  settings: Pick<ProtocolSettings, 'accessTokenTtl' | 'refreshTokenTtl' | 'refreshTokenMaxTtl'>;
  /** Scopes that a client gets only by having them in its own list. */
  sensitiveScopes: readonly string[];
};

type Rule<T> = (before: T, after: T, context: LooseningContext) => boolean;

const never = () => false;
const turnedOn: Rule<boolean> = (before, after) => after && !before;
const added = (before: readonly string[], after: readonly string[]) =>
  after.some((value) => !before.includes(value));
/** An own demand counts more than the server's, which a later edit may lift, and that more than none. */
const demandsLess: Rule<boolean | null> = (before, after) => rankOf(after) < rankOf(before);
const rankOf = (demand: boolean | null) => (demand === null ? 1 : demand ? 2 : 0);
const livesLonger =
  (key: keyof LooseningContext['settings']): Rule<number | null> =>
  (before, after, { settings }) =>
    (after ?? settings[key]) > (before ?? settings[key]);

/** For each field, whether an edit of it gives the client, or whoever poses as it, more than before. */
const rules: { [Field in keyof ClientSettings]: Rule<ClientSettings[Field]> } = {
  // What people read, and links beside it.
  name: never,
  description: never,
  homePage: never,
  privacyLink: never,
  termsLink: never,
  // Another type makes a secret, or does without one.
  type: (before, after) => before !== after,
  grants: added,
  scopes: (before, after, { sensitiveScopes }) => {
    if (after === null) return before !== null;
    if (before === null) return after.some((scope) => sensitiveScopes.includes(scope));
    return added(before, after);
  },
  // With none registered a request may name its own, where the settings allow it.
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
  // Nothing that its first answer did not say.
  idTokenOnRefresh: never,
  accessTokenTtl: livesLonger('accessTokenTtl'),
  refreshTokenTtl: livesLonger('refreshTokenTtl'),
  refreshTokenMaxTtl: livesLonger('refreshTokenMaxTtl'),
};

const fields = Object.keys(rules) as (keyof ClientSettings)[];

/** The fields in which an edit of a client gives more than before; none: it only tightens or rewords. */
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
 * Whether an edit of a scope lets clients have more: those without a list of their own get what is
 * not sensitive, and who names no scope gets the defaults. `before` is null for a new scope.
 */
export function scopeLoosens(before: JudgedScope | null, after: JudgedScope): boolean {
  const nobodys: JudgedScope = { isDefault: false, sensitive: true };
  const { isDefault, sensitive } = before ?? nobodys;
  return (sensitive && !after.sensitive) || (after.isDefault && !isDefault);
}
