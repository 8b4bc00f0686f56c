import { config } from '../config.ts';
import { findServerIssuer } from '../store/issuer-change.ts';

/**
 * The warning for anyone about to pass on an address that a command printed, if the server that
 * started last on this database has a different issuer; null if the issuers are the same.
 */
export async function leadsElsewhere(): Promise<string | null> {
  const { issuer } = config();
  const running = await findServerIssuer();
  if (running === null || running === issuer) return null;
  return `WARNING: Links here lead to ${issuer}, because that is the ISSUER of this command. The server on this database runs as ${running}, so people would arrive somewhere else. Set ISSUER=${running} for the command, or in .env, and run it again.`;
}
