import { config } from '../config.ts';
import { once } from '../once.ts';
import type { HttpHeaders } from './message.ts';

const encrypted: HttpHeaders = { 'strict-transport-security': 'max-age=31536000' };
const plain: HttpHeaders = {};

/** The HSTS header of every response if the issuer is https: one year (RFC 6797). */
export function transportHeaders(): HttpHeaders {
  return once('transport-headers', () =>
    config().issuer.startsWith('https:') ? encrypted : plain,
  );
}
