import { jwtVerify } from 'jose';
import { z } from 'zod';
import { isText } from '../../oauth/params.ts';
import { digest } from '../../oauth/secrets.ts';
import type { Provider } from '../../store/providers.ts';
import type { EndedThere, LogoutToken } from '../../store/sessions.ts';
import { keysOfProvider } from './clients.ts';
import { ProviderFault } from './fault.ts';
import { faultOf } from './faults.ts';
import { kinds } from './provider-kinds.ts';

const event = 'http://schemas.openid.net/event/backchannel-logout';
const name = z.string().min(1).max(255).refine(isText);

/** OpenID Connect Back-Channel Logout 1.0 section 2.4. */
const said = z.object({
  jti: name,
  exp: z.number(),
  sub: name.optional(),
  sid: name.optional(),
  events: z.object({ [event]: z.looseObject({}) }),
  nonce: z.undefined().optional(),
});

/** Seconds: the maximum age of a token. For at least that long, no token is accepted twice. */
const oldest = 10 * 60;
const skew = 60;

/**
 * The algorithms accepted from others' keys. Neither shared secrets nor `none` sign anything here.
 */
const asymmetric = new Set([
  ...['RS', 'PS', 'ES'].flatMap((family) => ['256', '384', '512'].map((bits) => family + bits)),
  'EdDSA',
  'Ed25519',
]);

/**
 * Reads a provider's logout token, which works once (section 2.6). Returns the sessions it ends,
 * and the hash by which it is spent.
 * @throws ProviderFault
 */
export async function readLogoutToken(
  provider: Provider,
  token: string,
  now: Date,
): Promise<{ ended: EndedThere; token: LogoutToken }> {
  if (!provider.enabled)
    throw new ProviderFault('provider.off', 'The provider is switched off.', provider.name);
  const claims = await verify(provider, token, now);
  const { jti, sub, sid } = claims;
  if (sub === undefined && sid === undefined)
    throw new ProviderFault('provider.answer', 'The logout token names nobody.', 'neither', [
      'sub or sid',
    ]);
  const hash = digest(`logout ${provider.id} ${jti}`);
  const until = new Date(now.getTime() + (oldest + 2 * skew) * 1000);
  const ended = { providerId: provider.id, subject: sub ?? null, sid: sid ?? null };
  return { ended, token: { hash, until } };
}

export const usedBefore = () =>
  new ProviderFault('provider.answer', 'The logout token has been used before.');

async function verify(provider: Provider, token: string, now: Date) {
  if (kinds[provider.kind].protocol !== 'openid')
    throw new ProviderFault('provider.answer', 'A provider of this kind sends no logout tokens.');
  try {
    const { keys, algorithms } = await keysOfProvider(provider, now);
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: provider.issuer,
      audience: provider.clientId,
      algorithms: algorithms.filter((name) => asymmetric.has(name)),
      clockTolerance: skew,
      maxTokenAge: oldest,
      currentDate: now,
    });
    const { typ = 'JWT' } = protectedHeader;
    // The provider's ID tokens and access tokens must not end anything.
    if (!['jwt', 'logout+jwt', 'application/logout+jwt'].includes(typ.toLowerCase()))
      throw new ProviderFault('provider.answer', 'It is no logout token.', typ, ['logout+jwt']);
    return said.parse(payload);
  } catch (error) {
    if (error instanceof z.ZodError)
      throw new ProviderFault('provider.answer', 'It is no logout token.', z.prettifyError(error));
    throw faultOf(error);
  }
}
