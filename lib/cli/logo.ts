import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ClientRecord } from '../management/clients.ts';
import { refuseAdmin } from '../management/refusal.ts';
import { cli } from './answer.ts';

/** A picture, or that there shall be none; undefined: nothing was said. */
export type Logo = Uint8Array | 'none' | undefined;

/**
 * Reads the file of `--logo`, named from where the command was called; an empty name takes the
 * logo away. Called before anything is changed: a client whose secret was never shown is no use.
 */
export async function readLogo(file: string | undefined): Promise<Logo> {
  if (file === undefined) return undefined;
  if (file === '') return 'none';
  const { readLogo: check } = await import('../management/logos.ts');
  const bytes = await readFile(resolve(process.env.INIT_CWD ?? '', file)).catch(() =>
    refuseAdmin(
      'logo',
      `The file "${file}" cannot be read; --logo takes a PNG, JPEG, WebP or GIF file.`,
    ),
  );
  await check(bytes);
  return bytes;
}

export async function withLogo(client: ClientRecord, logo: Logo): Promise<ClientRecord> {
  if (logo === undefined) return client;
  const { removeLogo, setLogo } = await import('../management/logos.ts');
  return logo === 'none'
    ? removeLogo(client.id, cli, new Date())
    : setLogo(client.id, logo, cli, new Date());
}
