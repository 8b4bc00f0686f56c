import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { z } from 'zod';
import { config } from '../../config.ts';
import { idJagType, type ReceivedIdJag, receivedIdJag } from '../../oauth/id-jag.ts';
import { isOwnIssuer } from '../../oauth/old-issuer.ts';
import { digest } from '../../oauth/secrets.ts';
import { rememberedBeyond } from '../../oauth/signed-jwt.ts';
import { findIdentity, isMeantByAddress } from '../../store/identities.ts';
import type { Provider } from '../../store/providers.ts';
import { spendOnce } from '../../store/spent-values.ts';
import { findUser, findUserByLogin } from '../../store/users.ts';
import { vouchedAddress } from './account-match.ts';
import { keysOfProvider } from './clients.ts';
import { ProviderFault } from './fault.ts';
import { faultOf } from './faults.ts';
import { isOfDomains, kinds } from './provider-kinds.ts';
import { saysMfa } from './said-claims.ts';

/*
 * Identity assertions: what another server tells an app here about a person
 * (draft-ietf-oauth-identity-assertion-authz-grant). They are accepted only from providers for
 * which an admin has allowed it.
 */

/** Seconds: how far clocks may differ, and how long an assertion may live. */
const skew = 30;
const longestLife = 3600;

/** The algorithms accepted from others' keys. Shared secrets sign nothing here. */
const algorithms = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA', 'Ed25519'];

/** What an unverified assertion claims to be. Null if it is not a JWT. */
export function readAssertionHeader(text: string): { issuer: string; typ: string } | null {
  try {
    const [{ typ }, { iss }] = [decodeProtectedHeader(text), decodeJwt(text)];
    return typeof iss === 'string' ? { issuer: iss, typ: String(typ ?? 'JWT') } : null;
  } catch {
    return null;
  }
}

/**
 * The enabled provider with this issuer, if its assertions are accepted here; null if not. This
 * server's own never are: with them, its apps could get more than they were granted (draft section
 * 8.3).
 */
export function trustedIssuer(issuer: string, providers: readonly Provider[]): Provider | null {
  const found = providers.find(
    (provider) =>
      provider.enabled &&
      provider.acceptsAssertions &&
      kinds[provider.kind].protocol === 'openid' &&
      provider.issuer === issuer &&
      !isOwnIssuer(issuer, config().issuer),
  );
  return found ?? null;
}

/**
 * Checks signature, type, times and audience. Still unchecked: which account the assertion means,
 * and whether it was used before.
 * @param audience this server, as the app knows it
 * @throws ProviderFault
 */
export async function verifyAssertion(
  provider: Provider,
  text: string,
  audience: string,
  now: Date,
): Promise<ReceivedIdJag> {
  try {
    const { keys } = await keysOfProvider(provider, now);
    const { payload } = await jwtVerify(text, keys, {
      issuer: provider.issuer,
      audience,
      algorithms,
      typ: idJagType,
      clockTolerance: skew,
      currentDate: now,
    });
    const claims = receivedIdJag.parse(payload);
    const at = now.getTime() / 1000;
    if (claims.exp - at > longestLife + skew || claims.iat - at > skew)
      throw new ProviderFault('provider.answer', 'Its times are wrong.', `exp ${claims.exp}`, [
        `an end within ${longestLife} s`,
      ]);
    return claims;
  } catch (error) {
    if (error instanceof z.ZodError)
      throw new ProviderFault('provider.answer', 'Claims are wrong.', z.prettifyError(error));
    throw faultOf(error);
  }
}

/** True for the first of any number of concurrent calls, in any number of processes. */
export async function spendAssertion(
  provider: Provider,
  { jti, exp }: ReceivedIdJag,
): Promise<boolean> {
  const hash = `id-jag:${digest(JSON.stringify([provider.issuer, jti]))}`;
  return (await spendOnce(hash, new Date((exp + skew + rememberedBeyond) * 1000))) === 'spent-now';
}

/** `identityId` is the identity it was found by; null if by address alone. */
export type MeantAccount = { userId: string; providerId: string; identityId: string | null };

/**
 * Finds the account an assertion means: the one with the identity or, if an admin has allowed it
 * for the provider, the one with the same address, verified on both sides. An account that has an
 * identity of this issuer is found by that one alone, because an address may go to another person
 * there, and one with a role is never found by its address. Null if there is none or it is
 * disabled.
 */
export async function accountOf(
  provider: Provider,
  claims: ReceivedIdJag,
): Promise<MeantAccount | null> {
  const { issuer } = provider;
  if (!isOfDomains(provider, claims)) return null;
  const identity = await findIdentity({ issuer, subject: claims.sub });
  const userId = identity ? identity.userId : await byAddress(provider, claims);
  const user = userId === null ? null : await findUser(userId);
  if (!user || user.disabled) return null;
  return { userId: user.id, providerId: provider.id, identityId: identity?.id ?? null };
}

async function byAddress(provider: Provider, claims: ReceivedIdJag): Promise<string | null> {
  if (!provider.matchesAddresses) return null;
  const address = vouchedAddress(provider, { claims });
  const found = address === null ? null : await findUserByLogin(address);
  return found && (await isMeantByAddress(found.id, provider.issuer)) ? found.id : null;
}

/** The RFC 8176 methods of the sign-in there, as far as we trust the provider about them. */
export const amrOfIdJag = ({ trustsSecondFactor }: Provider, claims: ReceivedIdJag): string =>
  trustsSecondFactor && saysMfa(claims) ? 'fed mfa' : 'fed';
