import { digest } from '../oauth/secrets.ts';
import * as store from '../store/logos.ts';
import { type Actor, eventBy } from './actor.ts';
import { type ClientRecord, showClient } from './clients.ts';
import { readImage } from './image.ts';
import { refuseAdmin } from './refusal.ts';

/** Gives a client a logo: a PNG, JPEG or WebP picture. @throws AdminRefusal */
export async function setLogo(id: string, bytes: Uint8Array, actor: Actor, now: Date): Promise<ClientRecord> {
  await showClient(id);
  const image = readImage(bytes);
  if ('fault' in image) return refuseAdmin('logo', image.fault);
  const { type, width, height } = image;
  const hash = digest(Buffer.from(bytes).toString('base64')).slice(0, 22);
  const detail = { logo: { type, width, height, bytes: bytes.length } };
  const event = eventBy(actor, 'client.updated', { clientId: id, detail });
  if (!(await store.storeLogo(id, { type, bytes, hash }, event, now)))
    refuseAdmin('client', `There is no client "${id}" any more.`);
  return showClient(id);
}

/** Takes a client's logo away. @throws AdminRefusal */
export async function removeLogo(id: string, actor: Actor, now: Date): Promise<ClientRecord> {
  await showClient(id);
  await store.removeLogo(id, eventBy(actor, 'client.updated', { clientId: id, detail: { logo: null } }), now);
  return showClient(id);
}
