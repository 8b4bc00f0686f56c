import { z } from 'zod';
import { act } from '../act.ts';
import { told } from '../told.ts';
import { moment, text } from '../values.ts';
import type { WaitingRequest } from './new-apps.ts';

// Imported late: a command line that only prints its help opens no store.
const newApps = () => import('./new-apps.ts');

const waiting = z
  .object({
    client_id: text,
    origin: text,
    name: text,
    host: text,
    asked_by: text,
    asked_at: moment,
  })
  .meta({ id: 'WaitingApp' });

const takes = z.strictObject({ client_id: text.meta({ description: 'its client_id' }) });
const decided = z
  .object({
    client_id: text,
    host: text,
    decision: z.enum(['allowed', 'refused']),
  })
  .meta({ id: 'Decision' });

export const approvalActs = {
  list: act({
    may: 'see-everything',
    says: 'list apps that added themselves and wait to be approved',
    takes: z.strictObject({}),
    tells: z.object({ waiting: z.array(waiting) }),
    run: async () => ({ waiting: (await (await newApps()).listWaitingApps()).map(toldWaiting) }),
  }),

  approve: act({
    may: 'fresh-admin',
    says: 'let people use an app that added itself',
    takes,
    tells: decided,
    async run({ client_id }, { actor, now }) {
      const { host } = await (await newApps()).approveApp(client_id, actor, now);
      return { client_id, host, decision: 'allowed' as const };
    },
  }),

  refuse: act({
    may: 'admin',
    says: 'keep out an app that added itself',
    takes,
    tells: decided,
    async run({ client_id }, { actor, now }) {
      const { host } = await (await newApps()).refuseApp(client_id, actor, now);
      return { client_id, host, decision: 'refused' as const };
    },
  }),
};

const toldWaiting = (found: WaitingRequest): z.input<typeof waiting> =>
  told(waiting, { ...found, askedBy: found.username });
