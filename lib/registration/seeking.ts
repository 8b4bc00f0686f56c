import type { Sender } from '../http/network.ts';
import type { Settings } from '../settings/table.ts';

/** The browser for which a client is looked up, and the settings that apply. */
export type Seeking = Sender & {
  revision: number;
  settings: Settings;
  /** The request that causes the lookup, if known. */
  requestId?: string | null;
};
