import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { config, gatehouseVersion } from '../config.ts';
import { secretId } from '../sealed/seal.ts';
import { lineOf, type Sum, Summing } from './content.ts';
import { BackupError, encryptInto } from './envelope.ts';
import { type About, format, tableLine } from './format.ts';
import { knownOf } from './known.ts';
import { onSide } from './open-side.ts';
import type { Side } from './side.ts';
import { backedUpTables } from './tables.ts';

type Made = {
  file: string;
  bytes: number;
  at: Date;
  tables: Record<string, Sum>;
  /** Whether a newer version has added things to the database that the backup lacks. */
  lacks: boolean;
};

const olderThanThis =
  'The database is of an older version of Gatehouse, and this one would have to change it before a backup. Nothing was changed. Make the backup with the version that serves: if this one cannot serve, it is the way back.';

type Making = {
  databaseUrl: string;
  file: string;
  /** Null: the file opens with this server's secret. */
  passphrase: string | null;
  /** Ends it early; no file appears. */
  stop?: AbortSignal;
};

/**
 * Writes everything the database holds at one moment into one file, which appears complete or not
 * at all. Concurrent writers are not blocked. What only a newer version knows is left out: the
 * backup is one of this version.
 * @throws BackupError if there are no tables, or those of an older version; the reason of `stop`
 */
export async function makeBackup(
  { databaseUrl, file, passphrase, stop }: Making,
  now: Date,
): Promise<Made> {
  await removeDrafts(dirname(file), now);
  const draft = `${file}.${randomUUID()}.part`;
  const tables: Record<string, Sum> = {};
  let lacks = false;
  try {
    await onSide(databaseUrl, 'read', async (side) => {
      const known = knownOf(side);
      if (known === null) throw new BackupError('The database has no tables yet.');
      if (known.isBehind) throw new BackupError(olderThanThis);
      lacks = known.isAhead;
      const about = aboutNow(side.kind, known.migration, passphrase, now);
      const target = createWriteStream(draft, { mode: 0o600, flags: 'wx' });
      await encryptInto(textOf(side, about, tables, stop), target, passphrase);
    });
    await toDisk(draft);
    stop?.throwIfAborted();
    await rename(draft, file);
    await toDisk(dirname(file));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOSPC') throw cause;
    throw new BackupError(
      `There is no space left for ${file} (ENOSPC). Free some, or name a file on another disk.`,
      { cause },
    );
  } finally {
    await rm(draft, { force: true });
  }
  return { file, bytes: (await stat(file)).size, at: now, tables, lacks };
}

const draftName = /\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.part$/;
/** A draft that is still being written was modified more recently than this, in milliseconds. */
const abandoned = 3600_000;

/** Removes the drafts that killed backups have left in a folder. */
async function removeDrafts(folder: string, now: Date): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.filter((each) => draftName.test(each))) {
    const draft = resolve(folder, name);
    const found = await stat(draft).catch(() => null);
    if (found?.isFile() && now.getTime() - found.mtimeMs > abandoned)
      await rm(draft, { force: true });
  }
}

function aboutNow(
  database: Side['kind'],
  migration: string,
  passphrase: string | null,
  now: Date,
): About {
  return {
    gatehouse: 'backup',
    format,
    version: gatehouseVersion(),
    database,
    migration,
    at: now.toISOString(),
    issuer: config().issuer,
    secretId: secretId(config().serverSecrets[0] ?? ''),
    ...(passphrase !== null && { secrets: config().serverSecrets }),
  };
}

/** Text is written in chunks, so that a small row does not cost a write of its own. */
const chunk = 64 * 1024;

async function* textOf(
  side: Side,
  about: About,
  sums: Record<string, Sum>,
  stop: AbortSignal | undefined,
): AsyncGenerator<string> {
  let text = `${JSON.stringify(about)}\n`;
  for (const table of backedUpTables()) {
    text += `${tableLine(table)}\n`;
    const summing = new Summing();
    for await (const rows of side.batches(table)) {
      stop?.throwIfAborted();
      for (const row of rows) {
        const line = lineOf(row);
        summing.add(line);
        text += `${line}\n`;
      }
      if (text.length < chunk) continue;
      yield text;
      text = '';
    }
    sums[table.name] = summing.end();
  }
  yield `${text}${JSON.stringify({ end: true, tables: sums })}\n`;
}

/** Makes a file, or the file names in a folder, survive a power cut. */
async function toDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
