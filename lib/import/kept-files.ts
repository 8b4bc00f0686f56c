import type { By } from '../management/act.ts';
import { keepDraft, refuseGone } from '../management/batch/drafts.ts';
import { may } from '../people/roles.ts';
import { findDraft, forgetDraft } from '../store/import-drafts.ts';
import type { Arrivals } from './arrivals.ts';
import { type JudgedArrivals, judgeArrivals } from './judge-arrivals.ts';
import { moveIn, readArrivals, type Source, withHashes } from './move.ts';
import type { Format } from './names.ts';

/** An uploaded file of another program: parsed, and kept for a day to be looked at before use. */
type KeptFile = { from: Format; arrivals: Arrivals };

/** Reads a file and keeps its content. Returns its id. @throws AdminRefusal */
export async function keepFile(source: Source, by: By): Promise<string> {
  const kept: KeptFile = { from: source.from, arrivals: await withHashes(readArrivals(source)) };
  return keepDraft(kept, by);
}

/** @throws AdminRefusal if there is no such file, or the user may not see it */
async function findFile(id: string, { role }: By): Promise<KeptFile> {
  const draft = await findDraft(id);
  const kept = draft && (JSON.parse(draft.lines) as Partial<KeptFile>);
  if (!kept?.arrivals || !kept.from || !may(role, 'admin')) return refuseGone();
  return { from: kept.from, arrivals: kept.arrivals };
}

/** What would happen to everyone in a kept file. @throws AdminRefusal */
export async function judgeFile(
  id: string,
  by: By,
): Promise<{ from: Format; judged: JudgedArrivals; oldIssuer: string | undefined }> {
  const { from, arrivals } = await findFile(id, by);
  const { oldIssuer } = arrivals;
  return { from, judged: await judgeArrivals(arrivals, by.now), oldIssuer };
}

/** Imports everyone in a kept file, which is then deleted. @throws AdminRefusal */
export async function bringFile(
  id: string,
  asked: { leaveOut: boolean; slowSignIns: boolean; oldIssuer: string | null },
  by: By,
): Promise<JudgedArrivals> {
  const { from, arrivals } = await findFile(id, by);
  const judged = await moveIn(arrivals, from, { ...asked, agreed: () => true }, by);
  await forgetDraft(id);
  return judged;
}
