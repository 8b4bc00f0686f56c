import { Secret, TOTP } from 'otpauth';
import { encodeQR } from 'qr';
import { z } from 'zod';
import { config } from '../config.ts';
import { productName } from '../messages/text.ts';
import { typedCode } from '../oauth/typed-code.ts';
import { sealed } from '../sealed/sealed.ts';

/** What all apps support (RFC 6238); 160 bits as RFC 4226 section 4 recommends. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const secretBytes = 20;
/** Clocks drift: one step either side is accepted (RFC 6238 section 5.2). */
const window = 1;

/** A secret as the database holds it. */
export const sealedTotp = sealed('totp', z.string(), { max: 1000 });

/** Creates a secret, in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/**
 * The time step this typed code belongs to; null if none is near `now`.
 */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const token = typedCode(code);
  if (!/^[0-9]{6}$/.test(token)) return null;
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

/** The `otpauth:` URI in the QR code. */
export function totpUri(secret: string, username: string): string {
  const { host } = new URL(config().issuer);
  const issuer = `${productName()} ${host}`.replaceAll(':', ' ');
  const uri = new TOTP({
    ...parameters,
    issuer,
    label: username,
    secret: Secret.fromBase32(secret),
  }).toString();
  // Defaults are left out: they only make the image finer than old cameras can read.
  return uri.replace(/&(algorithm|digits|period)=\w+/g, '');
}

/** A QR code as a data URI. */
export function qrImage(text: string): string {
  // Cameras expect dark on light, whatever the theme.
  const svg = encodeQR(text, 'svg', { ecc: 'low', border: 3 }).replace(
    '<path',
    '<rect width="100%" height="100%" fill="#fff"/><path',
  );
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
