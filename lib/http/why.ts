import type { PlainKey } from '../messages/keys.ts';
import type { Locale } from '../messages/locales.ts';
import { textIn } from '../messages/text.ts';
import { type Refusal, trueRefusal } from '../oauth/errors.ts';
import type { Rule } from '../oauth/facts.ts';

/**
 * The texts that people read about rules whose refusals can end on one of our pages. Developers
 * read a separate sentence.
 */
const keys: Partial<Record<Rule, PlainKey>> = {
  'client.missing': 'why.noApp',
  'client.unknown': 'why.unknownApp',
  'client.disabled': 'why.disabledApp',
  'client.document-host': 'why.appNotAccepted',
  'client.document-invalid': 'why.appUnread',
  'client.document-unreachable': 'why.appUnread',
  'client.host-blocked': 'why.appNotAccepted',
  'client.gone': 'why.unknownApp',
  'client.not-accepted': 'why.appNotAccepted',
  'client.too-many-new': 'why.tooManyNewApps',
  'client.too-many-documents': 'why.tooManyDocuments',
  'redirect-uri.missing': 'why.noAddress',
  'redirect-uri.unregistered': 'why.unknownAddress',
  'redirect-uri.forbidden': 'why.forbiddenAddress',
  'post-logout.unregistered': 'why.unknownAddress',
  'id-token-hint.foreign': 'why.foreignProof',
  'id-token-hint.other-client': 'why.foreignProof',
  'grant-type.not-allowed': 'why.notThisWay',
  'scope.malformed': 'why.unknownAccess',
  'scope.unknown': 'why.unknownAccess',
  'scope.not-allowed': 'why.forbiddenAccess',
  'resource.malformed': 'why.unknownAccess',
  'resource.unknown': 'why.unknownAccess',
  'resource.not-allowed': 'why.forbiddenAccess',
  'pkce.required': 'why.unprotected',
  'pkce.method': 'why.unprotected',
  'pkce.challenge-malformed': 'why.unprotected',
  'parameter.repeated': 'why.twice',
  'login-required': 'why.signInNeeded',
  'consent-required': 'why.consentNeeded',
  'access.not-listed': 'why.notYours',
  'access.network': 'why.notFromHere',
  'terms.required': 'why.termsFirst',
};

/**
 * What went wrong with an app's request, in the reader's language; undefined if the refusal names
 * no rule.
 */
export function whyIn(locale: Locale, refusal: Refusal): string | undefined {
  const { facts } = trueRefusal(refusal);
  return facts && textIn(locale)(keys[facts.rule] ?? 'why.other');
}
