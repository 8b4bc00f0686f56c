import { knownParams } from './authorization-request.ts';
import type { Facts } from './facts.ts';
import { first, type Params } from './params.ts';
import { repeatable } from './resource.ts';

/*
 * What a request names and this server ignores. The standards want it ignored (RFC 6749 section
 * 3.1, OpenID Connect Core section 3.1.2.1), but the sender should be able to find out.
 */

const credentialParams = [
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
];

export const paramsOf = {
  authorize: new Set<string>([...knownParams, repeatable]),
  device: new Set([...credentialParams, 'scope', repeatable]),
  token: new Set([
    ...credentialParams,
    'grant_type',
    'code',
    'redirect_uri',
    'code_verifier',
    'state',
    'refresh_token',
    'device_code',
    'scope',
    repeatable,
    'assertion',
  ]),
  present: new Set([...credentialParams, 'token', 'token_type_hint']),
  push: new Set<string>([...credentialParams, ...knownParams, repeatable]),
  userinfo: new Set(['access_token']),
  exchange: new Set([
    ...credentialParams,
    'grant_type',
    'scope',
    repeatable,
    'audience',
    'subject_token',
    'subject_token_type',
    'actor_token',
    'actor_token_type',
    'requested_token_type',
  ]),
};

/** The parameters that hold something secret, at whichever endpoint. */
export const secretParams: ReadonlySet<string> = new Set([
  'client_secret',
  'client_assertion',
  'code',
  'code_verifier',
  'device_code',
  'assertion',
  'refresh_token',
  'access_token',
  'token',
  'subject_token',
  'actor_token',
]);

/** How many ignored parameters are noted, and how many characters of each name. */
const mostNamed = 10;
const longestName = 40;

/**
 * Notes the names of ignored parameters, and no values. Only `audience` is noted with its value,
 * because its sender probably means `resource`.
 */
export function noteIgnoredParams(params: Params, known: ReadonlySet<string>): Facts[] {
  const audience = known.has('audience') ? undefined : first(params, 'audience');
  const names = [...params.keys()].filter((name) => !known.has(name) && name !== 'audience');
  const shown = names.slice(0, mostNamed).map((name) => name.slice(0, longestName));
  return [
    ...(audience === undefined
      ? []
      : [{ rule: 'parameter.audience', received: audience, expected: [repeatable] } as const]),
    ...(shown.length === 0
      ? []
      : [{ rule: 'parameter.ignored', received: shown.join(' ') } as const]),
  ];
}

/** Notes the scopes that were requested but not granted. */
export function noteIgnoredScopes(asked: string | undefined, given: readonly string[]): Facts[] {
  const left = new Set(asked?.split(' ').filter((name) => !given.includes(name)) ?? []);
  return left.size === 0 ? [] : [{ rule: 'scope.ignored', received: [...left].join(' ') }];
}
