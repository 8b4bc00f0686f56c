import { z } from 'zod';
import { act } from '../act.ts';
import { told } from '../told.ts';
import { moment, text } from '../values.ts';

// Imported late: a command line that only prints its help opens no store.
const hosts = () => import('./hosts.ts');

const host = text.meta({ description: 'such as apps.example.org' });
const takes = z.strictObject({ host });
const ended = z
  .object({ host: text, apps: z.int(), people: z.int(), sign_ins: z.int() })
  .meta({ id: 'EndedHost' });

const blocked = z
  .object({ host: text, apps: z.int(), blocked_at: moment })
  .meta({ id: 'BlockedHost' });

export const hostActs = {
  list: act({
    may: 'see-everything',
    says: 'list blocked hosts',
    takes: z.strictObject({}),
    tells: z.object({
      hosts: z.array(blocked),
    }),
    async run() {
      const rows = await (await hosts()).listBlockedHosts();
      return { hosts: rows.map((row) => told(blocked, { ...row, blockedAt: row.createdAt })) };
    },
  }),

  block: act({
    may: 'admin',
    says: 'block a host: its apps stop working immediately and cannot register themselves',
    takes,
    tells: ended,
    run: async (said, { actor, now }) =>
      told(ended, await (await hosts()).blockHost(said.host, actor, now)),
  }),

  unblock: act({
    may: 'fresh-admin',
    says: 'let apps of a host register themselves again',
    takes,
    tells: z.object({ host: text, blocked: z.literal(false) }),
    async run(said, { actor, now }) {
      const name = await (await hosts()).unblockHost(said.host, actor, now);
      return { host: name, blocked: false as const };
    },
  }),

  removeApps: act({
    may: 'fresh-admin',
    says: 'delete all apps of a host that added themselves',
    takes,
    tells: ended,
    run: async (said, { actor, now }) =>
      told(ended, await (await hosts()).removeAppsOfHost(said.host, actor, now)),
  }),
};
