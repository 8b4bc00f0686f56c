import { createHmac, timingSafeEqual } from 'node:crypto';
import { config } from '../config.ts';
import { once } from '../once.ts';
import type { Sender } from './network.ts';

/**
 * The header that tells Next.js, in the same process, who sent a request. Next.js sends it along
 * when it calls this server to fetch the target of a server action's redirect.
 */
export const senderHeader = 'x-gatehouse-sender';

/**
 * One key per server secret, so that no one else can write the header and every worker can read it.
 */
const keys = () =>
  once('sender-keys', () =>
    config().serverSecrets.map((secret) =>
      createHmac('sha256', secret).update('gatehouse sender').digest('base64url'),
    ),
  );

export function writeSender({ address, isShared }: Sender): string {
  return `${keys()[0]} ${isShared ? 'shared' : 'own'} ${address}`;
}

/** The sender named in the header; null unless this server wrote it. */
export function readSender(text: string | null | undefined): Sender | null {
  const [key = '', kind, address] = (text ?? '').slice(0, 200).split(' ');
  if (!address || !keys().some((known) => isSame(known, key))) return null;
  return { address, isShared: kind !== 'own' };
}

function isSame(known: string, sent: string): boolean {
  const [one, other] = [Buffer.from(known), Buffer.from(sent)];
  return one.length === other.length && timingSafeEqual(one, other);
}
