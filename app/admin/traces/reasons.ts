import { countIn } from '#lib/messages/formats.ts';
import type { Text } from '#lib/messages/text.ts';
import { type Rule, rules } from '#lib/oauth/facts.ts';
import type { Choice } from '../ui/table/filters.tsx';

type Prefix<R extends string> = R extends `${infer Before}.${string}` ? Before : R;
type Group = (typeof groups)[number];

const groups = ['person', 'app', 'addresses', 'asked', 'tokens', 'request', 'provider'] as const;

const groupOf: Record<Prefix<Rule>, Group> = {
  client: 'app',
  'client-auth': 'app',
  'client-assertion': 'app',
  dpop: 'app',
  registration: 'app',
  'redirect-uri': 'addresses',
  'post-logout': 'addresses',
  address: 'addresses',
  issuer: 'addresses',
  proxy: 'addresses',
  'grant-type': 'asked',
  scope: 'asked',
  claims: 'asked',
  resource: 'asked',
  code: 'tokens',
  'device-code': 'tokens',
  device: 'tokens',
  'refresh-token': 'tokens',
  'access-token': 'tokens',
  introspection: 'tokens',
  'id-token-hint': 'tokens',
  exchange: 'tokens',
  identity: 'tokens',
  assertion: 'tokens',
  'login-required': 'person',
  'consent-required': 'person',
  'second-factor-required': 'person',
  'sign-in-too-old': 'person',
  'sign-in-over': 'person',
  access: 'person',
  terms: 'person',
  ldap: 'app',
  'app-password': 'person',
  approval: 'person',
  provider: 'provider',
  'response-type': 'request',
  'response-mode': 'request',
  parameter: 'request',
  method: 'request',
  'content-type': 'request',
  request: 'request',
  'request-uri': 'request',
  state: 'request',
  iss: 'request',
  pkce: 'request',
  other: 'request',
};

/**
 * The reasons that occurred, in groups, most frequent first, each with its number.
 * @param chosen stays in the list even if it does not occur
 */
export function reasonChoices(
  text: Text,
  counts: ReadonlyMap<string, number>,
  chosen: string | undefined,
): Choice[] {
  const listed = rules
    .filter((rule) => counts.has(rule) || rule === chosen)
    .sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  return groups.flatMap((group) =>
    listed
      .filter((rule) => groupOf[rule.replace(/\..*/, '') as Prefix<Rule>] === group)
      .map((rule): Choice => {
        const count = countIn(text.locale, counts.get(rule) ?? 0);
        const label = `${text(`attempts.rules.${rule}.what`)} (${count})`;
        return [rule, label, text(`attempts.reasonGroups.${group}`)];
      }),
  );
}
