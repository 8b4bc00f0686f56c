import { z } from 'zod';
import { act } from '../act.ts';
import { momentOrNone, oneOf, text, textOrNone, texts, wholeNumber, yesOrNo } from '../values.ts';

// Imported late: a command line that only prints its help opens no store.
const rules = () => import('./directories.ts');

const id = text.meta({ description: 'the id of the directory, as in the operator’s file' });
const user = text.meta({ description: 'the id of the person' });
const outcomes = ['done', 'stopped', 'failed'] as const;

const directory = z
  .object({
    id: text,
    name: text,
    people: z.int(),
    servers: z.array(z.object({ url: text, fault: textOrNone })),
    synced_at: momentOrNone,
    outcome: oneOf(outcomes).nullable(),
    why: textOrNone,
  })
  .meta({ id: 'Directory' });

export const directoryActs = {
  list: act({
    may: 'see-everything',
    says: 'list directories (LDAP), try each of their servers, and show the result of the last sync',
    takes: z.strictObject({}),
    tells: z.object({ directories: z.array(directory) }),
    run: async () => ({
      directories: (await (await rules()).listDirectories()).map(
        ({ last, everySeconds: _, ...one }) => ({
          ...one,
          synced_at: last?.endedAt ?? null,
          outcome: last?.outcome ?? null,
          why: last?.why ?? null,
        }),
      ),
    }),
  }),

  sync: act({
    may: 'fresh-admin',
    says: 'sync accounts with their directory now; with plan, only say what would be done',
    example: { plan: true },
    takes: z.strictObject({
      id,
      plan: yesOrNo.meta({ description: 'only say what would be done' }).optional(),
      accept: wholeNumber
        .meta({
          description:
            'at most this many people may be disabled, regardless of their share of the total',
        })
        .optional(),
    }),
    tells: z.object({
      id: text,
      outcome: oneOf(outcomes),
      people: z.int(),
      changed: texts,
      disabled: texts,
      enabled: texts,
      collisions: texts,
      why: textOrNone,
    }),
    waits: true,
    run: async ({ id, plan, accept }, { now }) =>
      (await rules()).syncNow(id, { plan: plan ?? false, accepts: accept ?? 0 }, now),
  }),

  link: act({
    may: 'fresh-admin',
    says: 'link an account to its entry in a directory: its password is the one there from now on, and everything opened with the old one ends',
    example: { user: 'USER_ID', login: 'ada' },
    takes: z.strictObject({
      id,
      user,
      login: text.meta({ description: 'what they type to sign in to the directory' }),
    }),
    tells: z.object({ id: text, user: text, entry: text }),
    ahead: async ({ id, login }) => (await rules()).findEntry(id, login),
    run: async ({ user }, { actor, now }, entry) =>
      (await rules()).linkToDirectory(entry, user, actor, now),
  }),

  unlink: act({
    may: 'fresh-admin',
    says: 'unlink an account from its directory: it has no password until it gets one here, and everything that was opened with the old one ends',
    takes: z.strictObject({ user }),
    tells: z.object({ user: text, unlinked: z.literal(true) }),
    async run({ user }, { actor, now }) {
      await (await rules()).unlinkFromDirectory(user, actor, now);
      return { user, unlinked: true as const };
    },
  }),
};
