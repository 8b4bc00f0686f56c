import { knownParams } from './authorization-request.ts';
import type { Facts } from './facts.ts';
import { first, type Params } from './params.ts';
import { repeatable } from './resource.ts';

/*
 * What a request names and this server leaves out. The standards have it so (RFC 6749 section 3.1,
 * OpenID Connect Core section 3.1.2.1), and whoever sent it should be able to find out.
 */

/** What a client names and proves itself by. */
const credentialParams = [
  ...['client_id', 'client_secret', 'client_assertion', 'client_assertion_type'],
];

/** The parameters that an endpoint looks at. */
export const paramsOf = {
  authorize: new Set<string>([...knownParams, repeatable]),
  device: new Set([...credentialParams, 'scope', repeatable]),
  token: new Set([
    ...[...credentialParams, 'grant_type', 'code', 'redirect_uri', 'code_verifier'],
    ...['state', 'refresh_token', 'device_code', 'scope', repeatable],
    'assertion',
  ]),
  exchange: new Set([
    ...[...credentialParams, 'grant_type', 'scope', repeatable, 'audience'],
    ...['subject_token', 'subject_token_type', 'actor_token', 'actor_token_type'],
    'requested_token_type',
  ]),
};

/** Of those that nobody looks at. */
const mostNamed = 10;
const longestName = 40;

/** Parameters that are ignored, by name: what somebody put into them is nobody's business here. */
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

/** Scopes that were asked for and left out. */
export function noteIgnoredScopes(asked: string | undefined, given: readonly string[]): Facts[] {
  const left = new Set(asked?.split(' ').filter((name) => !given.includes(name)) ?? []);
  return left.size === 0 ? [] : [{ rule: 'scope.ignored', received: [...left].join(' ') }];
}
