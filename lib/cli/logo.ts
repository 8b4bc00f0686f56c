import { readFile } from 'node:fs/promises';
import type { ClientRecord } from '../management/client/clients.ts';
import { refuseAdmin } from '../management/refusal.ts';
import { cli } from './answer.ts';
import { fileNamed } from './called-from.ts';

/** A picture, or null to remove it; undefined if the option is absent. */
export type Logo = Uint8Array | 'none' | undefined;

/**
 * Reads the `--logo` file, relative to where the command was called; an empty name removes the
 * logo. Called before anything changes: a client whose secret was never shown would be useless.
 */
export async function readLogo(file: string | undefined): Promise<Logo> {
  if (file === undefined) return undefined;
  if (file === '') return 'none';
  const { readLogo: check } = await import('../management/client/logos.ts');
  const bytes = await readFile(fileNamed(file)).catch(() =>
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
  const { removeLogo, setLogo } = await import('../management/client/logos.ts');
  return logo === 'none'
    ? removeLogo(client.id, cli, new Date())
    : setLogo(client.id, logo, cli, new Date());
}
