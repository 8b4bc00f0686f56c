import { z } from 'zod';
import { act } from '../act.ts';
import { told } from '../told.ts';
import { howLong, moment, text, texts, wholeNumber } from '../values.ts';

// Imported late: a command line that only prints its help opens no store.
const unused = () => import('./unused.ts');

const count = z.int();

const unusedUser = z
  .object({
    id: text,
    username: text,
    last_used_at: moment.nullable(),
    created_at: moment,
    ends_at: moment.nullable(),
  })
  .meta({ id: 'UnusedUser' });

const plan = z
  .object({
    days: count.meta({
      description: 'days without use after which an account is disabled; 0: off',
    }),
    notice_days: count.meta({ description: 'for how many of these days its person is warned' }),
    since: moment
      .nullable()
      .meta({ description: 'since when the rule is on; uses count from then' }),
    people: count.meta({ description: 'accounts that can sign in, admins aside' }),
    warned: count.meta({ description: 'accounts whose people were warned, and that end' }),
    unused: count.meta({ description: 'unused accounts whose people were not warned yet' }),
    most: count.meta({ description: 'how many may be warned at once without a person' }),
    held: z
      .enum(['off', 'group', 'share'])
      .nullable()
      .meta({ description: 'why nobody is warned: off, an unknown group, or too large a share' }),
    unknown_groups: texts.meta({ description: 'groups of the setting that do not exist' }),
    users: z.array(unusedUser).meta({ description: 'up to 200 of them' }),
  })
  .meta({ id: 'UnusedPlan' });

/** The rule for accounts that nobody uses. */
export const unusedActs = {
  unused: act({
    may: 'see-everything',
    says: 'show which accounts are unused, and what the rule for them would do',
    takes: z.strictObject({
      unused_for: howLong
        .meta({ description: 'what another setting would do, such as "90 days"' })
        .optional(),
    }),
    tells: plan,
    async run({ unused_for: span }, { now }) {
      const days = span === undefined ? undefined : Math.max(1, Math.round(span / 86_400));
      const { users, ...rest } = await (await unused()).planUnused(now, days);
      const used = users.map((user) => ({
        ...user,
        lastUsedAt: user.lastUsedAt ?? user.lastSignInAt,
      }));
      return told(plan, { ...rest, users: used.map((user) => told(unusedUser, user)) });
    },
  }),

  warnUnused: act({
    may: 'fresh-admin',
    says: 'warn the people of all unused accounts, even if they are more than the rule warns alone',
    example: { expected: 12 },
    takes: z.strictObject({
      expected: wholeNumber.meta({
        description: 'how many the plan shows; if there are more, nothing happens',
      }),
    }),
    tells: z.object({ warned: count }),
    run: async ({ expected }, { actor, now }) => ({
      warned: await (await unused()).warnUnused(expected, actor, now),
    }),
  }),
};
