import { once } from '../once.ts';
import { examine } from './examine.ts';
import type { Finding } from './finding.ts';

/** Milliseconds for which everyone who asks gets the same result. */
const fresh = 10_000;

/** The findings, and when the check began. */
type Examined = { at: Date; findings: Finding[] };
type Look = { at: Date; found: Promise<Examined>; endedAt: number };

/**
 * The doctor's findings from inside the running server. There is only one check at a time, however
 * many people ask, because it calls the server at its public address.
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
