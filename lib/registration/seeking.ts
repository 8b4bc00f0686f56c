import type { Sender } from '../http/network.ts';
import type { Settings } from '../settings/table.ts';

/** Where and under which settings a client is looked for. */
export type Seeking = Sender & {
  revision: number;
  settings: Settings;
  /** The request that asks, if that is known. */
  requestId?: string | null;
};
