import { z } from 'zod';
import { act } from '../act.ts';
import { told } from '../told.ts';
import { moment, nextCursor, paging, text, textOrNone, time } from '../values.ts';

const event = z
  .object({
    id: text,
    at: moment,
    type: text,
    actor: textOrNone,
    actor_name: textOrNone,
    user_id: textOrNone,
    username: textOrNone,
    client_id: textOrNone,
    address: textOrNone,
    request_id: textOrNone,
    detail: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditEvent' });

export const auditEventActs = {
  list: act({
    may: 'see-everything',
    says: 'list events, most recent first',
    takes: z.strictObject({
      type: text
        .meta({ description: 'one type (client.created) or a whole area (client)' })
        .optional(),
      user: text.meta({ description: 'about the person with this id' }).optional(),
      client: text.meta({ description: 'about this client' }).optional(),
      actor: text
        .meta({ description: 'done by the person with this id, cli, file or system' })
        .optional(),
      since: time.meta({ description: 'from this time on' }).optional(),
      until: time.meta({ description: 'before this time' }).optional(),
      ...paging,
    }),
    tells: z.object({ events: z.array(event), next: nextCursor }),
    async run({ user: userId, client: clientId, ...filter }) {
      const { listAudit } = await import('./audit.ts');
      const { rows, next } = await listAudit({ ...filter, userId, clientId });
      return { events: rows.map((row) => told(event, row)), next };
    },
  }),
};
