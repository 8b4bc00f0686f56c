import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { applyFile, type ConfigurationFiles, cli, person } from '../instance.ts';
import { newData, serve } from '../throwaway.ts';
import { note, title } from '../transcript.ts';

/** The second Gatehouse: it belongs to another company, and has no users yet. */
export type Railway = {
  issuer: string;
  configure: (files: ConfigurationFiles) => Promise<void>;
  end: () => Promise<void>;
};

/** Its future address. Home is at `localhost`, and cookies distinguish hosts but not ports. */
export async function railwayAddress(): Promise<{ port: string; issuer: string }> {
  const held = createServer().listen(0, '127.0.0.1');
  await once(held, 'listening');
  const port = `${(held.address() as AddressInfo).port}`;
  held.close();
  await once(held, 'close');
  return { port, issuer: `http://127.0.0.1:${port}` };
}

export async function startRailway(
  { port, issuer }: { port: string; issuer: string },
  stop: AbortSignal,
): Promise<Railway> {
  const { folder, env: plain, remove } = newData('gatehouse-demo-railway-', port);
  const env = { ...plain, ISSUER: issuer, PROVIDERS_AT_PRIVATE_ADDRESSES: 'on' };
  title('Another server, of another company');
  note(`Its data is in ${folder}.`);
  const { ready, end } = serve(env, remove, stop);
  try {
    await ready;
    note(`It listens at ${issuer}. The command line creates its admin:`);
    const options = ['--username', 'conductor', '--email', 'conductor@railway.example', '--admin'];
    await cli(env, ['user', 'create', ...options], person.password);
    return { issuer, configure: (files) => applyFile({ folder, env }, files), end };
  } catch (error) {
    await end();
    throw error;
  }
}
