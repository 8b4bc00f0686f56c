import { createHmac } from 'node:crypto';
import { config } from '../config.ts';
import { digest, sameDigest } from '../oauth/secrets.ts';
import { deriveKey } from './seal.ts';

/** Milliseconds for which a pass is valid. */
const life = 60_000;

/** The header in which this server's doctor identifies itself. */
export const doctorHeader = 'x-gatehouse-doctor';

/** A pass that proves, for a minute, that a request comes from a holder of the server secret. */
export function makeDoctorPass(now: Date): string {
  const [secret = ''] = config().serverSecrets;
  return `${now.getTime()}.${macOf(secret, String(now.getTime()))}`;
}

export function isDoctorPass(text: string | undefined, now: Date): boolean {
  const [moment = '', mac = ''] = (text ?? '').slice(0, 100).split('.');
  if (!/^\d{1,15}$/.test(moment) || Math.abs(now.getTime() - Number(moment)) > life) return false;
  return config().serverSecrets.some((secret) =>
    sameDigest(digest(macOf(secret, moment)), digest(mac)),
  );
}

const macOf = (secret: string, moment: string) =>
  createHmac('sha256', deriveKey(secret, 'doctor')).update(moment).digest('base64url');
