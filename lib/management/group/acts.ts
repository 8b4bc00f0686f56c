import { z } from 'zod';
import { act } from '../act.ts';
import { refusingAt } from '../refusing-at.ts';
import { told } from '../told.ts';
import {
  endSaid,
  moment,
  momentOrNone,
  nextCursor,
  oneOf,
  paging,
  text,
  textOrNone,
  texts,
  yesOrNo,
} from '../values.ts';
import { timeSeen, versionAt } from '../version.ts';
import { groupFields } from './fields.ts';

// Imported late: a command line that only prints its help opens no store.
const groups = () => import('./groups.ts');
const members = () => import('./members.ts');

const id = text.meta({ description: 'the id of the group' });

const group = z
  .object({
    id: text,
    ...z.object(groupFields).required().shape,
    created_at: moment,
    updated_at: moment,
  })
  .meta({ id: 'Group' });

const member = z
  .object({
    id: text,
    username: text,
    email: text,
    name: textOrNone,
    disabled: z.boolean(),
    since: moment,
    ends_at: momentOrNone.meta({ description: 'when the membership ends by itself' }),
  })
  .meta({ id: 'GroupMember' });

/** The number of its members, and of the apps that let them in because of it. */
const counts = { member_count: z.int(), apps: z.int() };
const counted = group.extend(counts).meta({ id: 'CountedGroup' });
const people = texts.meta({ description: 'username, email address or id; several at once' });

const manyOf = (field: string) => (field === 'person' ? 'people' : field);

export const groupActs = {
  list: act({
    may: 'see-everything',
    says: 'list groups, by name',
    takes: z.strictObject({
      q: text.meta({ description: 'start of the name' }).optional(),
      name: text.meta({ description: 'only the group with exactly this name' }).optional(),
      empty: yesOrNo.meta({ description: 'only groups without members' }).optional(),
      user: text.meta({ description: 'only groups of the person with this id' }).optional(),
      sort: oneOf(['name', 'newest']).meta({ description: 'name or newest (name)' }).optional(),
      ...paging,
    }),
    tells: z.object({ groups: z.array(counted), next: nextCursor }),
    async run({ q: search, user: userId, ...filter }) {
      const { rows, next } = await (await groups()).listGroups({ ...filter, search, userId });
      const groupsTold = rows.map(({ facts: { members, apps }, ...row }) =>
        told(counted, { ...row, memberCount: members.count, apps }),
      );
      return { groups: groupsTold, next };
    },
  }),

  show: act({
    may: 'see-everything',
    says: 'show a group',
    takes: z.strictObject({ id }),
    tells: counted,
    async run(said) {
      const { groupWithId, countOfGroup } = await groups();
      const found = await groupWithId(said.id);
      const { apps, members } = await countOfGroup(found.id);
      return told(counted, { ...found, memberCount: members, apps });
    },
    version: versionAt,
  }),

  create: act({
    may: 'admin',
    says: 'create a group',
    example: { name: 'editors' },
    takes: z.strictObject(groupFields),
    tells: group,
    run: async (said, { actor, now }) =>
      told(group, await (await groups()).createGroup(said, actor, now)),
    version: versionAt,
  }),

  update: act({
    may: 'admin',
    says: 'rename or describe a group; only the options you give change',
    example: { description: 'They write the news' },
    takes: z.strictObject({ id, ...z.object(groupFields).partial().shape }),
    tells: group,
    async run({ id, ...said }, { actor, now, seen, demandFresh }) {
      const { updateGroup } = await groups();
      return told(
        group,
        await updateGroup(id, said, { actor, now, seen: timeSeen(seen), onLoosening: demandFresh }),
      );
    },
    version: versionAt,
  }),

  delete: act({
    may: 'fresh-admin',
    says: 'delete a group; its members lose the apps that nothing else allows them',
    takes: z.strictObject({ id }),
    tells: z.object({ id, name: text, deleted: z.literal(true), members: z.int(), apps: z.int() }),
    async run(said, { actor, now, seen }) {
      const gone = await (await groups()).deleteGroup(said.id, actor, now, timeSeen(seen));
      return { ...gone, deleted: true as const };
    },
  }),

  listMembers: act({
    may: 'see-everything',
    says: 'list the members of a group, the newest accounts first',
    takes: z.strictObject({
      id,
      q: text
        .meta({ description: 'only members whose username, email address or name starts so' })
        .optional(),
      ...paging,
    }),
    tells: z.object({ member_count: z.int(), members: z.array(member), next: nextCursor }),
    async run({ id, q: search, ...filter }) {
      const { id: groupId } = await (await groups()).groupWithId(id);
      const found = await (await members()).listMembers(groupId, { ...filter, search });
      return {
        member_count: found.total.count,
        members: found.rows.map((row) =>
          told(member, { ...row, disabled: row.disabledAt !== null }),
        ),
        next: found.next,
      };
    },
  }),

  addMembers: act({
    may: 'fresh-admin',
    says: 'add people to a group, for good or until a day; those in it already get the new end',
    example: { people: ['ada@example.org'], ends_at: '2031-02-28' },
    takes: z.strictObject({ id, people, ends_at: endSaid.optional() }),
    tells: z.object({ id, name: text, added: texts, already: texts }),
    async run({ id, people, ends_at: endsAt }, { actor, now }) {
      const { name } = await (await groups()).groupWithId(id);
      const adding = { people, endsAt };
      const work = (await members()).addMembersUntil(id, adding, actor, now);
      const { done, already } = await refusingAt(manyOf, work);
      return { id, name, added: done, already };
    },
  }),

  removeMembers: act({
    may: 'admin',
    says: 'remove people from a group',
    example: { people: ['ada@example.org'] },
    takes: z.strictObject({ id, people }),
    tells: z.object({ id, name: text, removed: texts, not_in_it: texts }),
    async run({ id, people }, { actor, now, demandFresh }) {
      const { name } = await (await groups()).groupWithId(id);
      const { areMembers, removeMembers } = await members();
      // Only people who may add members may learn who else has an account here.
      if (!(await areMembers(id, people))) demandFresh();
      const { done, already } = await removeMembers(id, people, actor, now);
      return { id, name, removed: done, not_in_it: already };
    },
  }),
};
