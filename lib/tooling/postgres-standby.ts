import { execFileSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';

/**
 * Makes the data folder of a standby: a copy of a running primary on this machine. Once started,
 * the standby follows the primary over a connection.
 * @param primary the address of any database of the primary
 * @param data the folder to make
 */
export async function copyPrimary(primary: string, data: string): Promise<void> {
  const { label, folder } = await backedUp(primary, (source) =>
    execFileSync('cp', ['--archive', source, data]),
  );
  execFileSync('rm', ['-f', resolve(data, 'postmaster.pid'), resolve(data, 'postmaster.opts')]);
  const { hostname, port, username } = new URL(primary);
  const way = `host=${hostname} port=${port} user=${username}`;
  appendFileSync(resolve(data, 'postgresql.auto.conf'), `primary_conninfo = '${way}'\n`);
  for (const [name, text] of [
    ['backup_label', label],
    ['standby.signal', ''],
  ] as const) {
    writeFileSync(resolve(data, name), text);
    // Both servers run as the owner of the primary's files.
    execFileSync('chown', ['--reference', folder, resolve(data, name)]);
  }
}

/** Copies the files of a cluster between the two statements that make such a copy usable. */
async function backedUp(
  primary: string,
  copy: (folder: string) => void,
): Promise<{ label: string; folder: string }> {
  const client = new pg.Client(primary);
  await client.connect();
  try {
    const { rows } = await client.query('SHOW data_directory');
    await client.query("SELECT pg_backup_start('standby', true)");
    copy(rows[0].data_directory);
    const stopped = await client.query('SELECT labelfile FROM pg_backup_stop(false)');
    return { label: stopped.rows[0].labelfile, folder: rows[0].data_directory };
  } finally {
    await client.end();
  }
}
