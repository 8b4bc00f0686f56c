import { lineOf, Summing } from './content.ts';
import { BackupError } from './envelope.ts';
import type { Part, Sums } from './format.ts';
import { knownOf } from './known.ts';
import { onSide } from './open-side.ts';
import { inhabitantsOf, replaceContent } from './replace.ts';
import type { Side } from './side.ts';
import { backedUpTables } from './tables.ts';
import { quotedNames } from './values.ts';

/**
 * Copies everything from one database into another, of the same or the other kind, in one
 * transaction on each. No one can write to the source meanwhile. Both must have the tables of this
 * version.
 * @throws BackupError if the target is not empty and `replace` does not consent to losing its
 * content, or a newer version has added to one of the two
 */
export async function moveDatabase(from: string, to: string, replace: boolean): Promise<Sums> {
  const names = backedUpTables().map(({ name }) => name);
  if (from === to) throw new BackupError('These are the same database.');
  return onSide(from, 'replace', async (source) => {
    checkKnown(source);
    if (source.kind === 'postgresql')
      await source.run(`LOCK TABLE ${quotedNames(names)} IN SHARE MODE`);
    return onSide(to, 'replace', async (target) => {
      checkKnown(target);
      const { users, clients } = await inhabitantsOf(target);
      if (users + clients > 0 && !replace)
        throw new BackupError(
          `The other database is not empty: it has ${users} users and ${clients} apps. With --replace they are deleted.`,
        );
      const sums: Sums = {};
      await replaceContent(target, names, partsFrom(source, sums));
      await target.commit();
      return sums;
    });
  });
}

/** @throws BackupError if a newer version has data there that would be left behind */
function checkKnown(side: Side): void {
  if (!knownOf(side)?.isAhead) return;
  throw new BackupError(
    `A newer version of Gatehouse has added data to a database (${side.migration}) that this version does not know and would leave behind. Use that version to move it.`,
  );
}

async function* partsFrom(source: Side, sums: Sums): AsyncGenerator<Part> {
  for (const table of backedUpTables()) {
    yield { table };
    const summing = new Summing();
    for await (const rows of source.batches(table))
      for (const row of rows) {
        const line = lineOf(row);
        summing.add(line);
        yield { row, line };
      }
    sums[table.name] = summing.end();
  }
  yield { sums };
}
