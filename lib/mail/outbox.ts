import { config } from '../config.ts';
import { listOutbox } from '../store/mails.ts';
import { type Sheet, sealedSheet } from './letter.ts';

/** Never in production: no one reads other people's mail. */
export function hasOutbox(): boolean {
  return config().mail.url === null && !config().production;
}

/** Recent mails that would have been sent, newest first. */
export async function readOutbox(
  now: Date,
): Promise<{ id: string; shownAt: Date; sheet: Sheet }[]> {
  if (!hasOutbox()) return [];
  const mails = await Promise.all(
    (await listOutbox(now)).map(async ({ id, shownAt, sealed }) => {
      const sheet = await sealedSheet.open(sealed);
      return sheet ? [{ id, shownAt, sheet }] : [];
    }),
  );
  return mails.flat();
}
