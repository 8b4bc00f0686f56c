import { type Actor, eventBy } from '../../store/actor.ts';
import * as store from '../../store/logos.ts';
import { logoFaults, logoHash, type PictureUse, readPicture } from '../pictures.ts';
import { refuseAdmin } from '../refusal.ts';
import { type ClientRecord, refuseMissingClient, showClient } from './clients.ts';

type Logo = store.Logo & {
  hash: string;
  facts: { width: number; height: number; bytes: number };
};

type LogoUse = Exclude<PictureUse, 'portrait'>;
const drawn = { logo: new WeakMap<Uint8Array, Promise<Logo>>(), icon: new WeakMap() } as const;

/**
 * Turns an upload into a logo, or into an icon. The same upload is drawn once: what was read ahead of a transaction
 * is known within it, and a refusal is the same. @throws AdminRefusal
 */
export function readLogo(uploaded: Uint8Array, use: LogoUse = 'logo'): Promise<Logo> {
  const known = drawn[use].get(uploaded);
  if (known) return known;
  const logo = draw(uploaded, use);
  drawn[use].set(uploaded, logo);
  return logo;
}

async function draw(uploaded: Uint8Array, use: LogoUse): Promise<Logo> {
  const picture = await readPicture(uploaded, use);
  if ('fault' in picture) return refuseAdmin('logo', logoFaults[picture.fault]);
  const { type, bytes, width, height } = picture;
  return { type, bytes, hash: logoHash(bytes), facts: { width, height, bytes: bytes.length } };
}

/** Sets a client's logo: PNG, JPEG, WebP or GIF. @throws AdminRefusal */
export async function setLogo(
  id: string,
  bytes: Uint8Array,
  actor: Actor,
  now: Date,
): Promise<ClientRecord> {
  await showClient(id);
  const logo = await readLogo(bytes);
  const event = eventBy(actor, 'client.updated', { clientId: id, detail: { logo: logo.facts } });
  if (!(await store.storeLogo(id, logo, event, now))) refuseMissingClient(id);
  return showClient(id);
}

/** Removes a client's logo. @throws AdminRefusal */
export async function removeLogo(id: string, actor: Actor, now: Date): Promise<ClientRecord> {
  await showClient(id);
  await store.removeLogo(
    id,
    eventBy(actor, 'client.updated', { clientId: id, detail: { logo: null } }),
    now,
  );
  return showClient(id);
}
