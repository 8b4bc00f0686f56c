import { z } from 'zod';
import { act } from '../act.ts';
import { told } from '../told.ts';
import { moment, momentOrNone, nextCursor, paging, text } from '../values.ts';
import { approvalFilter, filterSaid, whose } from './filter.ts';
import type { GrantRecord } from './grants.ts';

// Imported late: a command line that only prints its help opens no store.
const grants = () => import('./grants.ts');

const grant = z
  .object({
    user_id: text,
    username: text,
    client_id: text,
    client_name: text,
    scope: text,
    created_at: moment,
    updated_at: moment,
    last_used_at: momentOrNone,
  })
  .meta({ id: 'Grant' });

export const grantActs = {
  list: act({
    may: 'see-everything',
    says: 'list approvals, most recent first',
    takes: z.strictObject({ ...approvalFilter, ...paging }),
    tells: z.object({ grants: z.array(grant), next: nextCursor }),
    async run({ limit, cursor, ...said }, { now }) {
      const filter = { ...filterSaid(said, now), limit, cursor };
      const { rows, next } = await (await grants()).listGrants(filter);
      return { grants: rows.map(toldGrant), next };
    },
  }),

  revoke: act({
    may: 'admin',
    says: 'revoke approvals, with their codes and tokens',
    example: { user: 'USER_ID', client: 'calendar' },
    takes: z.strictObject(whose),
    tells: z.object({ revoked: z.int() }),
    async run({ user, client }, { actor, now, demandFresh }) {
      // Revoking all approvals of an app signs everyone out of it.
      if (user === undefined) demandFresh();
      return (await grants()).revokeGrants({ user, client }, actor, now);
    },
  }),
};

const toldGrant = (found: GrantRecord): z.input<typeof grant> =>
  told(grant, { ...found, scope: found.scopes.join(' ') });
