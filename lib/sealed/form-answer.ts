import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { config } from '../config.ts';
import type { HttpRequest } from '../http/message.ts';
import { first, type Params } from '../oauth/params.ts';
import { browserOf, isOwnForm } from './browser.ts';
import { deriveKey } from './seal.ts';

/** One form as one browser sent it: the name its answer is kept under, and the key to that. */
export type SentForm = { name: string; key: Uint8Array };

/**
 * What identifies a form that was sent; null if it is none of ours, or from a page that numbered no
 * forms. Both values need the cookie of the browser, so nothing that is stored opens the answer.
 */
export function sentForm(request: HttpRequest, fields: Params, body: Uint8Array): SentForm | null {
  const browser = browserOf(request);
  const [, , number] = (first(fields, 'csrf') ?? '').split('.');
  if (!browser || !number || !isOwnForm(request, fields)) return null;
  const [secret = ''] = config().serverSecrets;
  const mac = (use: string) =>
    createHmac('sha256', deriveKey(secret, 'form-answer'))
      .update(`${use} ${browser} ${request.path}?${request.query}\n`)
      .update(body)
      .digest();
  return { name: mac('name').toString('base64url'), key: mac('key') };
}

/** Encrypts the answer to a form (AES-256-GCM). */
export function sealFormAnswer({ key }: SentForm, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const hidden = [cipher.update(text, 'utf8'), cipher.final()];
  return Buffer.concat([nonce, ...hidden, cipher.getAuthTag()]).toString('base64url');
}

/** @throws Error if it was sealed for another form, or changed */
export function openFormAnswer({ key }: SentForm, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(-16));
  return decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8');
}
