import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { config } from '../config.ts';
import type { PageRequest } from '../http/message.ts';
import type { Locale } from '../messages/locales.ts';
import { productName } from '../messages/text.ts';
import {
  findPasskey,
  listPasskeys,
  type Passkey,
  rpIdOf,
  takePasskeyUse,
} from '../store/passkeys.ts';
import { authenticatorName } from './authenticators.ts';
import { type ChallengeUse, newChallenge, takeChallenge } from './challenge.ts';

/** EdDSA, ES256 and RS256: what current authenticators support. */
const algorithms = [-8, -7, -257];
const timeout = 4 * 60_000;

// Loaded on first use: it takes a tenth of a second.
const webauthn = () => import('@simplewebauthn/server');

/** The WebAuthn relying party ID is the issuer's host, whatever the request says. */
const rpId = () => rpIdOf(config().issuer);

/** Passkeys need a host name; they don't work on an IP address (WebAuthn section 5.1.2). */
export function passkeysPossible(): boolean {
  return isIP(rpId().replace(/^\[|\]$/g, '')) === 0;
}

type Owner = { id: string; username: string; name: string | null };

/** Whether browsers can use this passkey at the server's current address. */
export function worksHere({ rpId: host }: Pick<Passkey, 'rpId'>): boolean {
  return host === null || host === rpId();
}

/**
 * What browsers are asked to signal to a user's authenticators (WebAuthn level 3, section 5.1.10).
 */
export type PasskeySignal =
  | { rpId: string; unknown: string }
  | { rpId: string; userId: string; accepted: string[]; name: string; displayName: string };

/** Which of a user's passkeys work here, and the account's current names. */
export async function signalOf(owner: Owner): Promise<PasskeySignal> {
  return {
    rpId: rpId(),
    userId: handleOf(owner.id),
    accepted: (await credentialsOf(owner.id)).map(({ id }) => id),
    name: owner.username,
    displayName: owner.name ?? owner.username,
  };
}

/** The credential id of an answer, if this server knows no such passkey. */
export async function unknownPasskey(answer: Answer): Promise<string | null> {
  const parsed = assertion.safeParse(parseJson(answer.credential));
  if (!parsed.success || parsed.data.id.length > 1400) return null;
  return (await findPasskey(parsed.data.id)) ? null : parsed.data.id;
}

/** Tells the browser that this passkey no longer works. */
export const signalUnknown = (credentialId: string): PasskeySignal => ({
  rpId: rpId(),
  unknown: credentialId,
});

type Asked = { options: object; challenge: string };
/** At the user's request, or by the browser on its own after a password sign-in. */
export type Making = Extract<ChallengeUse, 'add' | 'upgrade'>;

/** The options for `navigator.credentials.create`, and the sealed challenge to send back. */
export async function askToAdd(
  owner: Owner,
  request: PageRequest,
  now: Date,
  making: Making = 'add',
): Promise<Asked> {
  const { generateRegistrationOptions } = await webauthn();
  const { challenge, sealed } = await newChallenge({ use: making, userId: owner.id }, request, now);
  const options = await generateRegistrationOptions({
    rpName: productName(),
    rpID: rpId(),
    userID: Uint8Array.from(Buffer.from(owner.id)),
    userName: owner.username,
    userDisplayName: owner.name ?? owner.username,
    challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
    timeout,
    attestationType: 'none',
    excludeCredentials: await credentialsOf(owner.id),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: algorithms,
  });
  return { options, challenge: sealed };
}

/**
 * The options for `navigator.credentials.get`. As a second factor: one of this user's passkeys. To
 * sign in: any passkey, with user verification.
 */
export async function askToProve(
  userId: string | null,
  request: PageRequest,
  now: Date,
): Promise<Asked> {
  const { generateAuthenticationOptions } = await webauthn();
  const { challenge, sealed } = await newChallenge(purposeOf(userId), request, now);
  const options = await generateAuthenticationOptions({
    rpID: rpId(),
    challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
    timeout,
    userVerification: userId === null ? 'required' : 'preferred',
    ...(userId !== null && { allowCredentials: await credentialsOf(userId) }),
  });
  return { options, challenge: sealed };
}

const purposeOf = (userId: string | null) =>
  userId === null
    ? ({ use: 'sign-in', userId: '' } as const)
    : ({ use: 'factor', userId } as const);

async function credentialsOf(userId: string) {
  return (await listPasskeys(userId))
    .filter(worksHere)
    .map(({ id, transports }) => ({ id, transports }));
}

const base64url = z
  .string()
  .regex(/^[A-Za-z0-9_-]+$/)
  .max(8000);
const registration = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(10)
      .optional(),
  }),
});
const assertion = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional(),
  }),
});

/** The form's answer: the credential as JSON, and the sealed challenge. */
export type Answer = { credential: string; challenge: string };

type NewPasskey = Omit<Passkey, 'createdAt' | 'lastUsedAt'>;

/** Verifies the passkey an authenticator created for this user; null if it is invalid. */
export async function readNewPasskey(
  { owner, making, locale }: { owner: Owner; making: Making; locale: Locale },
  answer: Answer,
  request: PageRequest,
  now: Date,
): Promise<NewPasskey | null> {
  const parsed = registration.safeParse(parseJson(answer.credential));
  const purpose = { use: making, userId: owner.id };
  const challenge = await takeChallenge(answer.challenge, purpose, request, now);
  if (!parsed.success || challenge === null) return null;
  const { verifyRegistrationResponse } = await webauthn();
  const { verified, registrationInfo: info } = await verifyRegistrationResponse({
    response: { ...parsed.data, clientExtensionResults: {} } as RegistrationResponseJSON,
    ...expected(challenge),
    // A security key without a PIN is a good second factor. To sign in on its own it must verify
    // the user.
    requireUserVerification: false,
    // A passkey the browser creates on its own needs no touch (WebAuthn level 3, section 5.1.3).
    requireUserPresence: making !== 'upgrade',
    supportedAlgorithmIDs: algorithms,
  }).catch(() => ({ verified: false as const, registrationInfo: undefined }));
  if (!verified || !info) return null;
  const transports = parsed.data.response.transports ?? [];
  return {
    id: info.credential.id,
    userId: owner.id,
    name: authenticatorName(info.aaguid, transports, locale),
    publicKey: Buffer.from(info.credential.publicKey).toString('base64url'),
    counter: info.credential.counter,
    transports,
    syncable: info.credentialDeviceType === 'multiDevice',
    backedUp: info.credentialBackedUp,
    aaguid: info.aaguid,
    rpId: rpId(),
  };
}

/** Who proved what: possession and, with `verified`, a fingerprint, face or PIN. */
type Proof = { userId: string; passkey: Passkey; verified: boolean };

/**
 * Verifies an answer to `askToProve`; null if it is invalid.
 * @param userId whose passkey it must be; null accepts any (sign-in)
 */
export async function readProof(
  userId: string | null,
  answer: Answer,
  request: PageRequest,
  now: Date,
): Promise<Proof | null> {
  const parsed = assertion.safeParse(parseJson(answer.credential));
  const passkey = parsed.success ? await findPasskey(parsed.data.id) : null;
  if (!parsed.success || !passkey || (userId !== null && passkey.userId !== userId)) return null;
  if (userId === null && parsed.data.response.userHandle !== handleOf(passkey.userId)) return null;
  // Only now, because it leaves a row, and anyone can send passkeys of nobody.
  const challenge = await takeChallenge(answer.challenge, purposeOf(userId), request, now);
  if (challenge === null) return null;
  const { verifyAuthenticationResponse } = await webauthn();
  const verification = await verifyAuthenticationResponse({
    response: { ...parsed.data, clientExtensionResults: {} } as AuthenticationResponseJSON,
    ...expected(challenge),
    credential: {
      id: passkey.id,
      publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
    },
    requireUserVerification: userId === null,
  }).catch(() => null);
  if (!verification?.verified) return null;
  const { newCounter, credentialBackedUp, userVerified } = verification.authenticationInfo;
  const used = await takePasskeyUse(passkey.id, newCounter, credentialBackedUp, now);
  return used === 'used' ? { userId: passkey.userId, passkey, verified: userVerified } : null;
}

function expected(challenge: string) {
  return { expectedChallenge: challenge, expectedOrigin: config().issuer, expectedRPID: rpId() };
}

function handleOf(userId: string): string {
  return Buffer.from(userId).toString('base64url');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The RFC 8176 methods a passkey counts as: hardware-bound or synced. */
export function amrOfPasskey({ passkey, verified }: Proof): string[] {
  return [passkey.syncable ? 'swk' : 'hwk', ...(verified ? ['user'] : [])];
}
