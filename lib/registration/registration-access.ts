import { createHmac, timingSafeEqual } from 'node:crypto';
import { prefixes } from '../oauth/secrets.ts';
import { derivedKeys } from '../sealed/seal.ts';

/*
 * With its registration access token an app reads its own registration (RFC 7592). The token is a
 * MAC of the client_id under a separate key, so nothing is stored and it is valid for no other app.
 */

const tokenBy = (key: Uint8Array, id: string) =>
  prefixes.registrationAccess + createHmac('sha256', key).update(id).digest('base64url');

export function registrationAccessToken(id: string): string {
  const [key] = derivedKeys('registration-access');
  if (!key) throw new Error('There is no server secret.');
  return tokenBy(key, id);
}

/** Whether this is the registration access token of the client, under any secret of this server. */
export function isRegistrationAccessToken(token: string, id: string): boolean {
  const sent = Buffer.from(token);
  return derivedKeys('registration-access').some((key) => {
    const right = Buffer.from(tokenBy(key, id));
    return sent.length === right.length && timingSafeEqual(sent, right);
  });
}
