import { config } from '../config.ts';
import { json } from '../http/answers.ts';
import { readQueryParams } from '../http/body.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { refuse } from '../oauth/errors.ts';
import { first, isRepeated } from '../oauth/params.ts';
import { domainOf, issuerRel } from '../people/webfinger.ts';
import { readSettings } from '../store/settings.ts';

/**
 * WebFinger (RFC 7033, OpenID Connect Discovery section 2): says that this server is the issuer for
 * the domains that an admin named, whoever is asked for, so it tells nobody who has an account.
 * @throws OAuthRefusal with status 400 without a resource, with 404 for another domain
 */
export async function webfinger(request: HttpRequest, _now: Date): Promise<HttpResponse> {
  const params = readQueryParams(request);
  const resource = isRepeated(params, 'resource') ? undefined : first(params, 'resource');
  const domain = resource === undefined ? null : domainOf(resource);
  if (domain === null)
    refuse('invalid_request', 'Send one resource, such as acct:ada@example.org.', {
      rule: 'parameter.invalid',
      received: resource,
      expected: ['acct:ada@example.org'],
    });
  const { webfingerDomains } = await readSettings();
  if (!webfingerDomains.includes(domain))
    refuse(
      'invalid_request',
      'This server answers for no domain of that name (WEBFINGER_DOMAINS).',
      { rule: 'parameter.invalid', received: domain },
      { status: 404 },
    );
  const rels = params.get('rel') ?? [];
  const isAsked = rels.length === 0 || rels.includes(issuerRel);
  const links = isAsked ? [{ rel: issuerRel, href: config().issuer }] : [];
  return json(
    200,
    { subject: resource, links },
    { 'content-type': 'application/jrd+json', 'cache-control': 'public, max-age=300' },
  );
}
