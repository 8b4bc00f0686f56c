import type { Sender } from '../http/network.ts';
import type { Settings } from '../settings/table.ts';

/** Who a client is looked up for, and the revision and settings that apply. */
export type Seeking = Sender & {
  revision: number;
  settings: Settings;
  /** The request that causes the lookup, if known. */
  requestId?: string | null;
};
