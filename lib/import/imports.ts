import { canSendMail } from '../mail/post.ts';
import type { By } from '../management/act.ts';
import { type BatchSoFar, startOfList } from '../management/batch/batches.ts';
import { keepDraft, refuseGone } from '../management/batch/drafts.ts';
import { namedGroups } from '../management/group/groups.ts';
import { readInvitee } from '../management/invitation/invitee.ts';
import { refuseAdmin, refuseFaults } from '../management/refusal.ts';
import { sentence } from '../messages/sentence.ts';
import { may } from '../people/roles.ts';
import { findDraft } from '../store/import-drafts.ts';
import { mostPending } from '../store/links.ts';
import { checkColumns, guessColumns } from './columns.ts';
import { judgeLines, type Plan } from './judge.ts';
import { type Lines, readLines } from './lines.ts';

/** A list that was read, the meaning of its columns, and what would happen to each line. */
export type Import = { id: string; lines: Lines; columns: string[]; plan: Plan };

/**
 * Reads a list of people and keeps it for a day, to be looked at before it is used.
 * @throws AdminRefusal
 */
export async function readList(text: string, by: By): Promise<string> {
  return keepDraft(readLines(text), by);
}

/**
 * What would happen to each line of a list. `said` gives the meaning of its columns; without it,
 * they are guessed.
 * @throws AdminRefusal
 */
export async function planImport(
  id: string,
  said: readonly string[] | undefined,
  by: By,
): Promise<Import> {
  const draft = await findDraft(id);
  if (!draft || (draft.madeBy !== by.actor.id && !may(by.role, 'admin'))) return refuseGone();
  const lines: Lines = JSON.parse(draft.lines);
  // Files of other programs are kept in the same place.
  if (!lines.lines) return refuseGone();
  const columns = said ? [...said] : await guessColumns(lines);
  await checkColumns(columns);
  return { id, lines, columns, plan: await judgeLines(lines, columns, by.actor, by.now) };
}

type Asked = {
  columns?: readonly string[];
  /** Groups that all of them will be in, besides the groups of their lines. */
  groups?: readonly string[];
  /** The language of those whose line names none. */
  language?: string;
  note?: string;
  leaveOut?: boolean;
};

/** Invites everyone on a list in the background. @throws AdminRefusal */
export async function startImport(id: string, asked: Asked, by: By): Promise<BatchSoFar> {
  const { plan } = await planImport(id, asked.columns, by);
  const count = plan.wrong.length;
  if (count > 0 && !asked.leaveOut)
    refuseAdmin('leave_out_wrong', sentence('refused.import.wrong', { count }));
  if (plan.invite.length === 0) refuseAdmin(null, sentence('refused.import.nobody'));
  if (plan.invite.length > mostPending && !canSendMail())
    refuseAdmin(null, sentence('refused.import.noMail', { most: mostPending }));
  const { language } = asked;
  refuseFaults(readInvitee({ language }, []).faults);
  await namedGroups(asked.groups ?? []);
  const items = plan.invite.map(({ email, said: { groups = [], ...said } }) => {
    const all = [...(asked.groups ?? []), ...groups];
    const told = {
      ...said,
      language: said.language ?? language,
      note: asked.note,
      ...(all.length > 0 && { groups: all }),
    };
    return { subject: email, label: email, given: { said: JSON.stringify(told) } };
  });
  // They are invited one by one later, when there is no one to ask.
  const isForGroups = [asked, ...plan.invite.map(({ said }) => said)].some(
    ({ groups = [] }) => groups.length > 0,
  );
  if (isForGroups) by.demandFresh('group');
  return startOfList(id, items, by);
}
