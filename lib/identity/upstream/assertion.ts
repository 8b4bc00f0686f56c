import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { z } from 'zod';
import { config } from '../../config.ts';
import { idJagType, type ReceivedIdJag, receivedIdJag } from '../../oauth/id-jag.ts';
import { isOwnIssuer } from '../../oauth/old-issuer.ts';
import { digest } from '../../oauth/secrets.ts';
import { rememberedBeyond } from '../../oauth/signed-jwt.ts';
import { findIdentity } from '../../store/identities.ts';
import type { Provider } from '../../store/providers.ts';
import { spendOnce } from '../../store/spent-values.ts';
import { findUser, findUserByLogin, isEmailVerified } from '../../store/users.ts';
import { keysOf } from './clients.ts';
import { ProviderFault } from './fault.ts';
import { faultOf } from './faults.ts';
import { isOfDomains, kinds } from './provider-kinds.ts';
import { addressOf } from './standing.ts';

/*
 * What another server says of somebody to an app here (draft-ietf-oauth-identity-assertion-authz-grant).
 * It is believed of providers for which an admin has said so.
 */

/** Seconds by which clocks may differ, and that one may live at most. */
const skew = 30;
const longestLife = 3600;

/** What keys of others sign with; a secret that is shared signs nothing here. */
const algorithms = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA', 'Ed25519'];

/** Who says they have signed it, and as what; nothing of it is believed yet. Null: it is no JWT. */
export function readAssertionHeader(text: string): { issuer: string; typ: string } | null {
  try {
    const [{ typ }, { iss }] = [decodeProtectedHeader(text), decodeJwt(text)];
    return typeof iss === 'string' ? { issuer: iss, typ: String(typ ?? 'JWT') } : null;
  } catch {
    return null;
  }
}

/**
 * The provider that an issuer is, if its word is taken here; null: it is not. That of this server itself never
 * is: its apps would have more by it than they were given (draft section 8.3).
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
 * Checks signature, type, times and audience. Whom it is for, and whether it has come before, is still
 * open.
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
    const { keys } = await keysOf(provider, now);
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

/** Uses it up: of any number that come at once, in any number of processes, one is the first. */
export async function spendAssertion(
  provider: Provider,
  { jti, exp }: ReceivedIdJag,
): Promise<boolean> {
  const hash = `id-jag:${digest(JSON.stringify([provider.issuer, jti]))}`;
  return (await spendOnce(hash, new Date((exp + skew + rememberedBeyond) * 1000))) === 'spent-now';
}

/** Whose account is meant, and what by: their identity there; null: their address alone. */
export type MeantAccount = { userId: string; providerId: string; identityId: string | null };

/**
 * Whose account it means: that of the identity; where an admin has said so of the provider, else that
 * with the address that both have verified. Null: nobody here, or somebody who is disabled.
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
  const address = addressOf(provider, { claims });
  const found = address === null ? null : await findUserByLogin(address);
  return found && (await isEmailVerified(found.id)) ? found.id : null;
}

/** How they signed in there, as far as it is believed (RFC 8176). */
export const methodsOf = ({ trustsSecondFactor }: Provider, { amr }: ReceivedIdJag): string =>
  trustsSecondFactor && amr?.includes('mfa') ? 'fed mfa' : 'fed';
