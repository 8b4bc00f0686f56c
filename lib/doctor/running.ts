import { once } from '../once.ts';
import { examine } from './examine.ts';
import type { Finding } from './finding.ts';

/** Milliseconds for which one look answers everybody who asks. */
const fresh = 10_000;

/** What a look at the server found, and when it began. */
type Examined = { at: Date; findings: Finding[] };
type Look = { at: Date; found: Promise<Examined>; endedAt: number };

/**
 * What the doctor finds from within the running server. However many ask, there is one look at a
 * time, for it calls the server at its public address.
 */
export function examineRunning(now: Date): Promise<Examined> {
  const held = once('doctor', (): { look: Look | null } => ({ look: null }));
  if (held.look && !isOld(held.look, now)) return held.look.found;
  const look: Look = {
    at: now,
    endedAt: 0,
    found: examine().then((findings) => {
      look.endedAt = Date.now();
      return { at: now, findings };
    }),
  };
  held.look = look;
  return look.found;
}

const isOld = ({ endedAt }: Look, now: Date) => endedAt > 0 && now.getTime() - endedAt > fresh;
