import { config } from '../config.ts';
import type { HttpRequest } from '../http/message.ts';
import { recordRefusal } from '../http/refused.ts';
import { limitFailure } from '../http/request-limits.ts';
import { traceRequest } from '../http/traced.ts';
import { OAuthRefusal, type Refusal } from '../oauth/errors.ts';
import { conditionsIn, filterText } from './filter.ts';
import type { Search } from './message.ts';
import { appDn } from './names.ts';
import type { Result } from './result.ts';
import { attributeNamed } from './schema.ts';

/** Keeps what was searched, and names what no entry has. */
export function noteSearch(
  { base, scope, filter }: Search,
  found: number | Result,
  request: HttpRequest,
  now: Date,
): void {
  const names = [...conditionsIn(filter)].map(({ attribute }) => attribute);
  const unknown = names.filter((name) => attributeNamed(name) === null);
  const what = typeof found === 'number' ? `${found} entries` : (found.says ?? found.code);
  const received = `${filterText(filter)} in ${base} (${scope}): ${what}`;
  const expected = [
    ...unknown.map((name) => `another attribute than ${name}, such as uid, mail, cn or memberOf`),
    ...(typeof found === 'object' && found.code === 'noSuchObject'
      ? [appDn(request.about.clientId ?? '', config().ldap.baseDn)]
      : []),
  ];
  if ((found === 0 && unknown.length > 0) || typeof found !== 'number') {
    const facts = { rule: 'ldap.search', received, expected } as const;
    const refusal = new OAuthRefusal('invalid_request', 'A search found nothing.', {}, facts);
    traceRequest('search', request, refusal, now);
    return;
  }
  request.about.notes.push({ rule: 'ldap.search', received });
  request.about.outcome = 'done';
  traceRequest('search', request, undefined, now);
}

/** Whoever binds learns no reason, only admins do, in the attempts of the app. */
export async function refused(
  refusal: Refusal,
  step: 'bind',
  request: HttpRequest,
  now: Date,
): Promise<Result> {
  const limited = await limitFailure(refusal, request, now);
  await recordRefusal(limited, request, { path: 'ldap', step }, now);
  traceRequest(step, request, limited, now);
  if (limited.code === 'temporarily_unavailable') return { code: 'busy', says: 'Try again later.' };
  const isPlain = refusal instanceof OAuthRefusal && /without TLS/.test(refusal.reason);
  if (isPlain) return { code: 'confidentialityRequired', says: 'Use StartTLS or LDAPS.' };
  return { code: 'invalidCredentials', says: `Request ${request.id} in the attempts of the app.` };
}
