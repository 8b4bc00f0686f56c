import type { Options, Running } from './targets.ts';

/** Starts another project's server. */
export async function startPeer(name: string, _options: Options): Promise<Running> {
  throw new Error(`There is no peer ${name}.`);
}
