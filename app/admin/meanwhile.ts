import { shortMomentIn } from '#lib/messages/format.ts';
import { sentence } from '#lib/messages/sentence.ts';
import { sentenceIn, type Text } from '#lib/messages/text.ts';
import { type AuditRecord, auditList } from '#lib/store/audit-list.ts';
import { pageZone } from '../zone.ts';

/** The areas of the audit log that are called differently from what a form changes. */
const areas: Readonly<Record<string, string>> = { account: 'user' };

/**
 * Says who changed what a form is about since it was opened, and when.
 * @param what the kind of thing, as the refusal names it
 * @param version its present version; for most kinds the time of the last change
 * @param reader the id of the reader, whose own change came from another tab
 */
export async function meanwhileText(
  text: Text,
  { what, version, reader }: { what: unknown; version: string; reader: string | undefined },
): Promise<string> {
  const change = await lastChange(areas[`${what}`] ?? `${what}`, version);
  const who = change && (change.actorName ?? doerOf(change, text));
  if (!change || !who) return text('frame.meanwhile');
  const time = shortMomentIn(text.locale, change.at, await pageZone());
  return sentenceIn(
    text.locale,
    change.actor === reader
      ? sentence('frame.meanwhileOwn', { time })
      : sentence('frame.meanwhileBy', { who, time }),
  );
}

function doerOf({ actor }: AuditRecord, text: Text): string | null {
  if (actor === 'cli') return text('audit.cli');
  return actor === 'file' ? text('audit.file') : null;
}

/** An event can be stored a moment before the change has its time. */
const nearby = 10;

/** The event of a change: the latest, at the time of the version if that is one. */
async function lastChange(area: string, version: string): Promise<AuditRecord | undefined> {
  const at = /^\d{13}$/.test(version) ? Number(version) : null;
  const times = at !== null && { since: new Date(at - nearby), until: new Date(at + nearby) };
  const { rows } = await auditList.page({ type: area, limit: 1, ...times });
  return rows[0];
}
