import type { Api } from './api.ts';
import type { Client } from './client.ts';
import { refuse } from './errors.ts';
import type { Facts } from './facts.ts';
import { first, isRepeated, type Params } from './params.ts';
import type { ProtocolSettings } from './settings.ts';

export type ScopeRow = {
  name: string;
  description: string;
  /** The description by language tag, where it differs. */
  translations: Readonly<Record<string, string>>;
  isDefault: boolean;
  sensitive: boolean;
};

/**
 * The description of a scope that people see: in their language, if there is one in it.
 * @param language a tag; what there is in `en` is also for `en-GB`
 */
export function descriptionIn(
  { description, translations = {} }: Partial<Pick<ScopeRow, 'description' | 'translations'>>,
  language: string,
): string | undefined {
  const tag = [language, language.replace(/-.*/, '')].find((each) =>
    Object.hasOwn(translations, each),
  );
  return tag === undefined ? description : translations[tag];
}

/** Scopes every server has; `scope create` adds others. */
export const builtInScopes = [
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'groups',
  'offline_access',
] as const;

/** Whether a scope is built in. Each built-in scope is about a person. */
export const isBuiltIn = (name: string): boolean =>
  (builtInScopes as readonly string[]).includes(name);

/** RFC 6749 section 3.3: scope-token = 1*( %x21 / %x23-5B / %x5D-7E ), joined by single spaces. */
export const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/;

/** White space that the grammar of `scope` doesn't have: at its ends, doubled, tabs, line breaks. */
const ragged = /^ | $| {2}|[\t\r\n]/;

/** Whether the `scope` of a request has such white space. */
export const isRagged = (params: Params) =>
  !isRepeated(params, 'scope') && ragged.test(first(params, 'scope') ?? '');

/**
 * Folds the white space in `scope`, which configuration files add, to single spaces in profile
 * `interface`. Other profiles refuse it later, as RFC 6749 section 3.3 has it.
 * @returns the parameters, and what is noted about them
 */
export function foldScope(
  params: Params,
  { profile }: Pick<ProtocolSettings, 'profile'>,
): { params: Params; notes: Facts[] } {
  if (profile !== 'interface' || !isRagged(params)) return { params, notes: [] };
  const sent = first(params, 'scope') ?? '';
  const scope = sent
    .split(/[ \t\r\n]+/)
    .filter(Boolean)
    .join(' ');
  return {
    params: new Map([...params, ['scope', [scope]]]),
    notes: [{ rule: 'scope.folded', received: `“${sent}”`, expected: [scope] }],
  };
}

/**
 * The names in a scope string, without duplicates, in the order sent.
 * @throws OAuthRefusal invalid_scope
 */
export function parseScope(text: string): string[] {
  const names = text.split(' ');
  if (!names.every((name) => scopeToken.test(name)))
    refuse('invalid_scope', 'scope must be a list of names separated by single spaces.', {
      rule: 'scope.malformed',
      received: text,
    });
  return [...new Set(names)];
}

/** Whether a client may request a scope: by its own list, or else any that is not sensitive. */
export function mayAsk(client: Pick<Client, 'scopes'>, scope: ScopeRow): boolean {
  return client.scopes ? client.scopes.includes(scope.name) : !scope.sensitive;
}

/** Scopes that are left out, not refused, if the client may not request them. */
const leftOut: ReadonlySet<string> = new Set(['offline_access', 'groups']);

/**
 * The scopes of a request (RFC 6749 section 3.3). Unknown names are left out (OpenID Connect Core
 * section 3.1.2.1). So are `offline_access` and `groups` where the client may not request them,
 * because many libraries always send them. The response says which scopes were granted. Scopes of
 * the requested APIs count as well; if the server has a scope of the same name, the name means the
 * server's.
 * @throws OAuthRefusal invalid_scope for a scope the client may not request, or if none is left
 */
export function checkScope(
  text: string | undefined,
  client: Client,
  known: readonly ScopeRow[],
  apis: readonly Api[] = [],
): string[] {
  if (text === undefined) return defaultScope(client, known, apis);
  const rows = new Map(known.map((row) => [row.name, row]));
  const left = parseScope(text).filter((name) => {
    const scope = rows.get(name);
    if (!scope) return isOfApi(name, apis);
    if (mayAsk(client, scope)) return true;
    return leftOut.has(name)
      ? false
      : refuse(
          'invalid_scope',
          `This client is not allowed to request the scope ${name.slice(0, 60)}.`,
          { rule: 'scope.not-allowed', received: name, expected: allowed(client, known, apis) },
        );
  });
  // An API needs no scope, so a client that only wants to stay connected may name no other scope.
  const enough = left.length > 0 || (apis.length > 0 && text === 'offline_access');
  if (!enough)
    refuse(
      'invalid_scope',
      isJoined(text, rows)
        ? 'Separate scopes with blanks (RFC 6749 section 3.3), each encoded once.'
        : 'None of the requested scopes is known to this server and allowed for this client.',
      { rule: 'scope.unknown', received: text, expected: allowed(client, known, apis) },
    );
  return left;
}

/** Whether scopes were joined with something else, or a blank was encoded twice. */
const isJoined = (text: string, rows: ReadonlyMap<string, unknown>) =>
  text.split(/[,;+]|%20/).every((each) => rows.has(each.trim()));

/** Whether a client may still have all of these scopes, which `checkScope` once gave it. */
export const mayHaveAll = (
  names: readonly string[],
  client: Pick<Client, 'scopes'>,
  known: readonly ScopeRow[],
  apis: readonly Api[],
) =>
  names.every((name) => {
    const scope = known.find((row) => row.name === name);
    return scope ? mayAsk(client, scope) : isOfApi(name, apis);
  });

/** Whether a client may still have these scopes, as far as they are the server's. */
export const mayKeep = (
  names: readonly string[],
  client: Pick<Client, 'scopes'>,
  known: readonly ScopeRow[],
) => known.every((row) => !names.includes(row.name) || mayAsk(client, row));

export const isOfApi = (name: string, apis: readonly Api[]) =>
  apis.some(({ scopes }) => scopes.some((scope) => scope.name === name));

const allowed = (client: Client, known: readonly ScopeRow[], apis: readonly Api[]) => [
  ...known.filter((row) => mayAsk(client, row)).map((row) => row.name),
  ...apis.flatMap(({ scopes }) => scopes.map(({ name }) => name)),
];

function defaultScope(client: Client, known: readonly ScopeRow[], apis: readonly Api[]): string[] {
  const names = known.filter((row) => row.isDefault && mayAsk(client, row)).map((row) => row.name);
  if (names.length === 0 && apis.length === 0)
    refuse(
      'invalid_scope',
      'scope is missing, and this client is not allowed any of the default scopes.',
      { rule: 'scope.not-allowed', expected: allowed(client, known, apis) },
    );
  return names;
}

/** Whether every one of these scopes is in the other list. */
export function isWithin(inner: readonly string[], outer: readonly string[]): boolean {
  return inner.every((name) => outer.includes(name));
}

/**
 * The scopes of a token that stands for a client, not a person: those asked for, otherwise all on
 * the client's own list. Scopes about a person make no sense here and are refused.
 * @throws OAuthRefusal invalid_scope
 */
export function checkMachineScope(
  text: string | undefined,
  client: Client,
  known: readonly ScopeRow[],
  apis: readonly Api[] = [],
): string[] {
  if (text === undefined)
    return (client.scopes ?? []).filter(
      (name) => !isBuiltIn(name) && known.some((row) => row.name === name),
    );
  const asked = checkScope(text, client, known, apis);
  const personal = asked.find(isBuiltIn);
  if (personal)
    refuse('invalid_scope', `The scope ${personal} is about a user, but this token has no user.`, {
      rule: 'scope.not-allowed',
      received: personal,
    });
  return asked;
}
