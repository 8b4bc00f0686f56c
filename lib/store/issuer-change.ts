import { config } from '../config.ts';
import { issuerAt } from '../settings/default-issuer.ts';
import { type Columns, read, readOne, write } from './engine/database.ts';
import { rpIdOf } from './passkeys.ts';

type Row = Columns<'operator_settings', 'issuer' | 'previousIssuer' | 'issuerSince'>;

const select = 'SELECT issuer, previous_issuer, issuer_since FROM operator_settings';
const update =
  'UPDATE operator_settings SET issuer = :issuer, previous_issuer = :previous, issuer_since = :since';

/** At the start of a server, notes its address and the previous one. */
export async function noteIssuer(now: Date): Promise<void> {
  const { issuer } = config();
  // The port is only known once the server listens, and no one keeps such an address.
  if (issuer === issuerAt(0)) return;
  const before = await readOne<Row>(select, {});
  const host = rpIdOf(before?.issuer ?? issuer);
  await write('UPDATE passkeys SET rp_id = :host WHERE rp_id IS NULL', { host });
  if (before?.issuer === issuer) return;
  const isReturn = !before?.issuer || before.previousIssuer === issuer;
  const [previous, since] = isReturn ? [null, null] : [before.issuer, now];
  await write(update, { issuer, previous, since });
}

/** The address of the server that started last; null: none has, or none with an address to keep. */
export async function findServerIssuer(): Promise<string | null> {
  return (await readOne<Row>(select, {}))?.issuer ?? null;
}

/** What still belongs to an address other than this server's. */
export type IssuerChange = {
  issuer: string;
  /** The previous address and when it ended; null: this database came from elsewhere. */
  previous: string | null;
  since: Date | null;
  /** Apps that are older than the change, and have neither received nor used a token since. */
  apps: number;
  /** Passkeys that work at another host, and these hosts. */
  passkeys: number;
  hosts: string[];
};

const oldApps = `SELECT COUNT(*) AS count FROM clients
  WHERE disabled_at IS NULL AND created_at < :since AND (last_used_at IS NULL OR last_used_at < :since)`;
const oldPasskeys = `SELECT rp_id, COUNT(*) AS count FROM passkeys
  WHERE rp_id <> :rpId GROUP BY rp_id ORDER BY COUNT(*) DESC, rp_id`;

/** Counts what a change of address left behind; null: nothing. */
export async function readIssuerChange(): Promise<IssuerChange | null> {
  const row = await readOne<Row>(select, {});
  const { issuer, previous, since } = {
    issuer: row?.issuer ?? config().issuer,
    previous: row?.previousIssuer ?? null,
    since: row?.issuerSince ?? null,
  };
  const apps = since ? ((await readOne<{ count: number }>(oldApps, { since }))?.count ?? 0) : 0;
  const byHost = await read<{ rpId: string; count: number }>(oldPasskeys, { rpId: rpIdOf(issuer) });
  const passkeys = byHost.reduce((sum, { count }) => sum + count, 0);
  if (apps + passkeys === 0) return null;
  return { issuer, previous, since, apps, passkeys, hosts: byHost.map(({ rpId }) => rpId) };
}
