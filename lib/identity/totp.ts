import { Secret, TOTP } from 'otpauth';
import { encodeQR } from 'qr';
import { config } from '../config.ts';
import { productName } from '../messages/text.ts';

/** What every authenticator app knows (RFC 6238): SHA-1, six digits, thirty seconds. 160 bits of secret as RFC 4226 section 4 advises. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const secretBytes = 20;
/** Clocks differ: one step before and one after count as well (RFC 6238 section 5.2). */
const window = 1;

/** A new secret, in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** The time step whose code this is; null: none near `now`. Spaces are how people read codes aloud. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const token = code.replace(/[\s-]/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const timestamp = now.getTime();
  const delta = TOTP.validate({
    ...parameters,
    secret: Secret.fromBase32(secret),
    token,
    timestamp,
    window,
  });
  return delta === null ? null : TOTP.counter({ period: parameters.period, timestamp }) + delta;
}

/** The address that an authenticator app reads from the QR code. */
export function totpUri(secret: string, username: string): string {
  const { host } = new URL(config().issuer);
  const issuer = `${productName()} ${host}`.replaceAll(':', ' ');
  const uri = new TOTP({
    ...parameters,
    issuer,
    label: username,
    secret: Secret.fromBase32(secret),
  }).toString();
  // What every app takes for granted only makes the picture finer than old cameras like.
  return uri.replace(/&(algorithm|digits|period)=\w+/g, '');
}

/** A QR code as an image that needs no request of its own. */
export function qrImage(text: string): string {
  // Cameras look for dark on light, whatever the page's colours are.
  const svg = encodeQR(text, 'svg', { ecc: 'low', border: 3 }).replace(
    '<path',
    '<rect width="100%" height="100%" fill="#fff"/><path',
  );
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
