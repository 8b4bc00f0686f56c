import { createHmac, timingSafeEqual } from 'node:crypto';
import { config } from '../config.ts';
import { once } from '../once.ts';
import type { Sender } from './network.ts';

/**
 * A private header of a request that this server passes on, to Next.js in the same process, and that
 * Next.js sends along when it asks this server itself, for the target of a server action's redirect.
 */
export const senderHeader = 'x-gatehouse-sender';

/** One key per server secret, so that nobody else can write the header and every worker can read it. */
const keys = () =>
  once('sender-keys', () =>
    config().serverSecrets.map((secret) =>
      createHmac('sha256', secret).update('gatehouse sender').digest('base64url'),
    ),
  );

/** Who sends a request, as the header says it. */
export function writeSender({ address, isShared }: Sender): string {
  return `${keys()[0]} ${isShared ? 'shared' : 'own'} ${address}`;
}

/** Who sent the request that the header belongs to; null unless this server wrote it. */
export function readSender(text: string | null | undefined): Sender | null {
  const [key = '', kind, address] = (text ?? '').slice(0, 200).split(' ');
  if (!address || !keys().some((known) => isSame(known, key))) return null;
  return { address, isShared: kind !== 'own' };
}

function isSame(known: string, sent: string): boolean {
  const [one, other] = [Buffer.from(known), Buffer.from(sent)];
  return one.length === other.length && timingSafeEqual(one, other);
}
