import type { Columns } from './engine/database.ts';
import { type Waiting, waitingTable } from './engine/queue.ts';

export type Delivery = Waiting &
  Columns<'logout_deliveries', 'sessionHash' | 'clientId' | 'userId'>;

/** The queue of logout deliveries. */
export const waitingDeliveries = waitingTable<Delivery>({
  table: 'logout_deliveries',
  key: ['session_hash', 'client_id'],
  columns: ['user_id'],
  batch: 20,
});
