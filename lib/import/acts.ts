import { z } from 'zod';
import { act } from '../management/act.ts';
import { batchTold, tellBatch } from '../management/batch/acts.ts';
import { oneOf, text, texts, yesOrNo } from '../management/values.ts';
import type { Sentence } from '../messages/sentence.ts';
import type { Import } from './imports.ts';
import type { JudgedArrivals } from './judge-arrivals.ts';
import { formats } from './names.ts';

// Imported late: a command line that only prints its help opens no store.
const imports = () => import('./imports.ts');
const keptFiles = () => import('./kept-files.ts');

const id = text.meta({ description: 'the id of the list' });
const columns = texts
  .meta({
    description:
      'what each column says, in order: email, name, given_name, family_name, username, language, groups, field.NAME or skip (as their heads say)',
  })
  .optional();

/** The maximum number that is listed of each kind. */
const mostTold = 200;

const told = z
  .object({
    id: text,
    columns: texts,
    invite: z.int().meta({ description: 'how many people would be invited' }),
    here: z.int().meta({ description: 'who have an account' }),
    invited: z.int().meta({ description: 'who have a pending invitation' }),
    wrong: z.int(),
    wrong_lines: z
      .array(z.object({ line: z.int(), text, why: text }))
      .meta({ description: `the first ${mostTold}` }),
  })
  .meta({ id: 'InviteeList' });

const movedTold = z.object({
  id: text,
  come: z.int().meta({ description: 'who would be imported' }),
  with_password: z.int().meta({ description: 'those of them whose password is known' }),
  disabled: z.int().meta({
    description: 'those of them who were shut out there: disabled, blocked, locked or expired',
  }),
  new_groups: texts,
  here: z.int().meta({ description: 'who have an account' }),
  apps: z.array(
    z.object({
      client_id: text,
      name: text,
      secret: yesOrNo.meta({ description: 'whether it comes with its secret' }),
      notes: texts.meta({ description: 'what differs from before' }),
    }),
  ),
  apps_here: texts.meta({ description: 'client_ids that already exist here' }),
  apps_left_behind: z.array(z.object({ client_id: text, why: text })),
  collide: z.int(),
  wrong: z.int(),
  sign_in_seconds: z.number().meta({
    description:
      'processor time that each sign-in of everybody takes on this machine until these people have signed in once',
  }),
});

export const importActs = {
  read: act({
    may: 'help-people',
    says: 'read a list of people to invite, and say what would happen to each line; no one is invited yet',
    example: { list: 'Ada <ada@example.org>\nbob@example.org' },
    takes: z.strictObject({
      list: text.meta({ description: 'addresses, or a table as CSV; it is kept for a day' }),
      columns,
    }),
    tells: told,
    async run({ list, columns }, by) {
      const { planImport, readList } = await imports();
      return tellImport(await planImport(await readList(list, by), columns, by));
    },
  }),

  show: act({
    may: 'help-people',
    says: 'say what would happen to each line of a list that was read',
    takes: z.strictObject({ id, columns }),
    tells: told,
    run: async ({ id, columns }, by) =>
      tellImport(await (await imports()).planImport(id, columns, by)),
  }),

  start: act({
    may: 'fresh-help-people',
    says: 'invite the people of a list that was read, in the background',
    example: { groups: ['editors'], note: 'The news room moves here.' },
    takes: z.strictObject({
      id,
      columns,
      groups: texts
        .meta({ description: 'a group that all of them will be in, by name or id' })
        .optional(),
      language: text
        .meta({ description: 'the language of those whose line names none, such as de' })
        .optional(),
      note: text.meta({ description: 'what the invitation is for; shown in the email' }).optional(),
      leave_out_wrong: yesOrNo.meta({ description: 'leave out lines that are wrong' }).optional(),
    }),
    tells: batchTold,
    async run({ id, leave_out_wrong: leaveOut, ...said }, by) {
      return tellBatch(await (await imports()).startImport(id, { ...said, leaveOut }, by));
    },
  }),

  readFile: act({
    may: 'admin',
    says: 'read people and apps from a file of another program, and say what would happen to them; nothing is imported yet',
    takes: z.strictObject({
      from: oneOf(formats).meta({ description: 'the program that wrote the file' }),
      file: text.meta({ description: 'its text; what was read from it is kept for a day' }),
      hash_parameters: text
        .meta({ description: 'for firebase: the password hash parameters from its console' })
        .optional(),
      realm: text
        .meta({ description: 'for keycloak: the name of the realm, if the file has several' })
        .optional(),
    }),
    tells: movedTold,
    async run({ from, file, hash_parameters: secret, realm }, by) {
      const { judgeFile, keepFile } = await keptFiles();
      const id = await keepFile({ from, text: file, secret, realm }, by);
      return { id, ...(await tellJudged((await judgeFile(id, by)).judged)) };
    },
  }),

  moveIn: act({
    may: 'fresh-admin',
    says: 'import the people and apps of such a file, with their passwords, groups and secrets: all or nothing',
    takes: z.strictObject({
      id: text.meta({ description: 'the id of the file that was read' }),
      leave_out: yesOrNo
        .meta({ description: 'leave out entries that are wrong or collide with someone here' })
        .optional(),
      slow_sign_ins: yesOrNo
        .meta({
          description:
            'accept that each sign-in takes longer than a second until these people have signed in once',
        })
        .optional(),
      old_issuer: text
        .meta({
          description:
            'the path of the issuer that its apps keep using for this server, such as /realms/acme',
        })
        .optional(),
    }),
    tells: movedTold,
    async run({ id, ...said }, by) {
      const { bringFile } = await keptFiles();
      const { leave_out: leaveOut = false, slow_sign_ins: slowSignIns = false } = said;
      const asked = { leaveOut, slowSignIns, oldIssuer: said.old_issuer ?? null };
      return { id, ...(await tellJudged(await bringFile(id, asked, by))) };
    },
  }),
};

async function tellJudged(judged: JudgedArrivals) {
  const { coming, here, newGroups, clients, cost } = judged;
  const { sentenceIn } = await import('../messages/text.ts');
  const { defaultLocale } = await import('../messages/locales.ts');
  const { faultsOfAll } = await import('./judge-arrivals.ts');
  const { collisions, wrong } = faultsOfAll(judged);
  const say = (said: Sentence) => sentenceIn(defaultLocale, said);
  return {
    apps: clients.coming.map(({ id, settings, secretHash, notes }) => ({
      client_id: id,
      name: settings.name,
      secret: secretHash !== null,
      notes: notes.map(say),
    })),
    apps_here: clients.here,
    apps_left_behind: clients.behind.map(({ who, why }) => ({ client_id: who, why: say(why) })),
    come: coming.length,
    with_password: coming.filter(({ passwordHash }) => passwordHash !== null).length,
    disabled: coming.filter(({ disabled }) => disabled).length,
    new_groups: newGroups,
    here: here.length,
    collide: collisions.length,
    wrong: wrong.length,
    sign_in_seconds: cost.after,
  };
}

async function tellImport({ id, columns, plan }: Import): Promise<z.input<typeof told>> {
  const { sentenceIn } = await import('../messages/text.ts');
  const { defaultLocale } = await import('../messages/locales.ts');
  const { invite, here, invited, wrong } = plan;
  return {
    id,
    columns,
    invite: invite.length,
    here: here.length,
    invited: invited.length,
    wrong: wrong.length,
    wrong_lines: wrong
      .slice(0, mostTold)
      .map(({ at, text, why }) => ({ line: at, text, why: sentenceIn(defaultLocale, why) })),
  };
}
