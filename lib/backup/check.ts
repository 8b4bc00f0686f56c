import { createReadStream } from 'node:fs';
import { Summing } from './content.ts';
import { BackupError, decrypted } from './envelope.ts';
import { type About, partsOf, type Sums } from './format.ts';

/** A complete backup: its header, and the checksums of its content. */
export type Checked = { about: About; sums: Sums };

/** Reads the parts of a backup file. @throws BackupError */
export async function* readParts(file: string, passphrase: string | null) {
  const source = createReadStream(file);
  await new Promise<void>((opened, failed) => {
    source.once('open', () => opened());
    source.once('error', (cause: NodeJS.ErrnoException) =>
      failed(new BackupError(`${file} cannot be read (${cause.code}).`, { cause })),
    );
  });
  yield* partsOf(await decrypted(source, passphrase));
}

/**
 * Reads a backup to its end and checks it against its checksums.
 * @throws BackupError if it is not complete
 */
export async function checkBackup(file: string, passphrase: string | null): Promise<Checked> {
  let about: About | null = null;
  let sums: Sums | null = null;
  const found: Sums = {};
  let summing: { table: string; sum: Summing } | null = null;
  const endTable = () => {
    if (summing) found[summing.table] = summing.sum.end();
  };
  try {
    for await (const part of readParts(file, passphrase)) {
      if ('about' in part) about = part.about;
      else if ('table' in part) {
        endTable();
        summing = { table: part.table.name, sum: new Summing() };
      } else if ('row' in part) summing?.sum.add(part.line);
      else sums = part.sums;
    }
  } catch (cause) {
    if (cause instanceof BackupError) throw cause;
    throw new BackupError('This backup is damaged. Use another one.', { cause });
  }
  endTable();
  if (!about || !sums || !isSame(sums, found))
    throw new BackupError(
      'This backup is damaged: its content does not match its checksums. Use another one.',
    );
  return { about, sums };
}

/** Whether both have the same tables with the same content. */
function isSame(one: Sums, other: Sums): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every(
    (name) => one[name]?.rows === other[name]?.rows && one[name]?.sha256 === other[name]?.sha256,
  );
}
