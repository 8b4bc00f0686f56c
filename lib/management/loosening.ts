import type { ScopeRow } from '../oauth/scope.ts';
import type { ProtocolSettings } from '../oauth/settings.ts';
import type { UserField } from '../people/user-field.ts';

/** What an edit of a client is compared with besides the client itself. */
export type LooseningContext = {
  /** The defaults of fields that a client leaves open. */
  settings: Pick<ProtocolSettings, 'accessTokenTtl' | 'refreshTokenTtl' | 'refreshTokenMaxTtl'>;
  /** Scopes that a client only gets by listing them. */
  sensitiveScopes: readonly string[];
  /** The hosts of the redirect addresses that the client has. */
  hosts: readonly string[];
};

/** Whether a change of a field gives the client, or anyone posing as it, more than before. */
export type Loosening<T> = (before: T, after: T, context: LooseningContext) => boolean;

export const never = () => false;
export const turnedOn: Loosening<boolean> = (before, after) => after && !before;
export const turnedOff: Loosening<boolean> = (before, after) => before && !after;
export const replaced: Loosening<string | null> = (before, after) =>
  after !== null && after !== before;
export const added: Loosening<readonly string[]> = (before, after) =>
  after.some((value) => !before.includes(value));
/** From strict to loose: the client's own requirement, the server's, which can change, and none. */
export const demandsLess: Loosening<boolean | null> = (before, after) =>
  rankOf(after) < rankOf(before);
const rankOf = (demand: boolean | null) => (demand === null ? 1 : demand ? 2 : 0);
export const livesLonger =
  (key: keyof LooseningContext['settings']): Loosening<number | null> =>
  (before, after, { settings }) =>
    (after ?? settings[key]) > (before ?? settings[key]);

/** The host of an address; '' if it has none. */
export const hostOf = (uri: string): string => (URL.canParse(uri) ? new URL(uri).hostname : '');

/** A link that people follow to another host than the app's own looks like the app's. */
export const leadsElsewhere: Loosening<string | null> = (before, after, { hosts }) =>
  after !== null && ![...hosts, hostOf(before ?? '')].includes(hostOf(after));

/** No limit is the longest. */
export const endsLater: Loosening<number | null> = (before, after) =>
  before !== null && (after === null || after > before);
/** An empty list allows all. */
export const mayComeFromMore: Loosening<readonly string[]> = (before, after) =>
  before.length > 0 && (after.length === 0 || after.some((value) => !before.includes(value)));
/** A shorter prefix lets more groups through, and no prefix lets all through. */
export const tellsMore: Loosening<string | null> = (before, after) =>
  before !== null && !after?.startsWith(before);
/** What an app is told may make someone an admin there. */
export const changed: Loosening<Readonly<Record<string, string>>> = (before, after) =>
  JSON.stringify(before) !== JSON.stringify(after);

/** Dropping the list allows every scope that is not sensitive. */
export const mayAskMore: Loosening<readonly string[] | null> = (before, after, context) => {
  if (after === null) return before !== null;
  if (before === null) return after.some((scope) => context.sensitiveScopes.includes(scope));
  return added(before, after, context);
};

/** With no address registered, a request may name its own if the settings allow it. */
export const sendsElsewhere: Loosening<readonly string[]> = (before, after, context) =>
  added(before, after, context) || (after.length === 0 && before.length > 0);

type JudgedScope = Pick<ScopeRow, 'isDefault' | 'sensitive'>;

/**
 * Whether an edit of a scope gives clients more. Clients without a list get every scope that is not
 * sensitive, and requests without `scope` get the defaults. `before` is null for a new scope.
 */
export function scopeLoosens(before: JudgedScope | null, after: JudgedScope): boolean {
  const nobodys: JudgedScope = { isDefault: false, sensitive: true };
  const { isDefault, sensitive } = before ?? nobodys;
  return (sensitive && !after.sensitive) || (after.isDefault && !isDefault);
}

type JudgedField = Pick<UserField, 'editor' | 'scope'>;

/**
 * Whether an edit of a field lets people set for themselves what admins set so far, or tells it to
 * other apps. `before` is null for a new field, in which no one has a value.
 */
export function fieldLoosens(before: JudgedField | null, after: JudgedField): boolean {
  const isTheirsNow = after.editor === 'person' && before?.editor !== 'person';
  return isTheirsNow || (before !== null && after.scope !== before.scope);
}
