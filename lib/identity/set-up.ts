import { createHmac } from 'node:crypto';
import { config } from '../config.ts';
import { sameDigest } from '../oauth/secrets.ts';
import { deriveKey } from '../sealed/seal.ts';

/**
 * The token of the set-up link. Derived from the server secret, so every process prints the same
 * one and nothing is stored. Invalid once an admin exists.
 */
export function setUpToken(): string {
  return createHmac('sha256', deriveKey(config().serverSecrets[0] ?? '', 'set-up'))
    .update('first admin')
    .digest('base64url');
}

export function isSetUpToken(token: string | undefined): boolean {
  return token !== undefined && sameDigest(token, setUpToken());
}
