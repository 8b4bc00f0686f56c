import { once } from '../once.ts';
import type { Answered, TermsAnswer, TermsVersion } from '../people/terms.ts';
import { auditing } from './audit.ts';
import type { AuditEntry } from './audit-entry.ts';
import { type Columns, read, readOne, write, writeTogether } from './engine/database.ts';
import { Listing } from './engine/listing.ts';
import { Conditions, type Paging } from './engine/page.ts';
import { likelyRevision, RevisionCache, raising } from './engine/revision.ts';

/** How many versions there can be, of this server and all apps together. */
export const mostTerms = 200;

const cache = () => once('cache.terms', () => new RevisionCache<TermsVersion[]>(1));
const columns = 'id, name, client_id, holds_from, required_from, ended_at';

/** All versions as far as this process knows, the first to hold first. */
export async function readTerms(): Promise<TermsVersion[]> {
  return cache().get('all', await likelyRevision(), listTerms);
}

/** The same, as they are stored. */
export function listTerms(): Promise<TermsVersion[]> {
  return read(`SELECT ${columns} FROM terms ORDER BY holds_from, created_at, id`, {});
}

export type TermsRecord = TermsVersion & {
  createdAt: Date;
  /** By language, or `any`. */
  texts: Readonly<Record<string, string>>;
};

/** A version with its texts. */
export async function findTerms(by: 'id' | 'name', value: string): Promise<TermsRecord | null> {
  const sql = `SELECT ${columns}, created_at, texts FROM terms WHERE ${by} = :value`;
  const row = await readOne<Columns<'terms'>>(sql, { value });
  return row ? { ...row, texts: JSON.parse(row.texts) } : null;
}

/** Stores a version. 'taken': another has its name; 'full': there are too many. */
export async function storeTerms(
  { texts, ...terms }: Omit<TermsRecord, 'endedAt'>,
  event: AuditEntry,
): Promise<'stored' | 'taken' | 'full'> {
  const sql = `INSERT INTO terms (id, name, client_id, texts, holds_from, required_from, created_at)
    SELECT :id, :name, CAST(:clientId AS TEXT), :texts, CAST(:holdsFrom AS TIMESTAMPTZ), CAST(:requiredFrom AS TIMESTAMPTZ),
      CAST(:createdAt AS TIMESTAMPTZ)
    WHERE (SELECT COUNT(*) FROM terms) < ${mostTerms} ON CONFLICT (name) DO NOTHING RETURNING id`;
  const params = { ...terms, texts: JSON.stringify(texts) };
  const stored = await writeTogether({ sql, params }, [
    raising(),
    auditing(event, terms.createdAt),
  ]);
  if (stored.length > 0) return 'stored';
  return (await findTerms('name', terms.name)) ? 'taken' : 'full';
}

/** Stops asking for a version, or asks again; false if that is so already. */
export async function endTerms(
  id: string,
  endedAt: Date | null,
  event: AuditEntry,
  now: Date,
): Promise<boolean> {
  const sql = `UPDATE terms SET ended_at = CAST(:endedAt AS TIMESTAMPTZ)
    WHERE id = :id AND ended_at IS ${endedAt ? 'NULL' : 'NOT NULL'} RETURNING id`;
  const ended = await writeTogether({ sql, params: { id, endedAt } }, [
    raising(),
    auditing(event, now),
  ]);
  return ended.length > 0;
}

/** What a person answered to all versions. */
export function answersOf(userId: string): Promise<Answered[]> {
  return read('SELECT terms_id, answer, at FROM terms_answers WHERE user_id = :userId', { userId });
}

type Shown = { userId: string; termsId: string; language: string; digest: string };

/** Stores an answer with its event. Whoever has agreed has agreed: no later answer changes that. */
export async function storeTermsAnswer(
  shown: Shown,
  answer: TermsAnswer,
  event: AuditEntry | null,
  now: Date,
): Promise<void> {
  const sql = `INSERT INTO terms_answers (user_id, terms_id, answer, at, language, digest)
    VALUES (:userId, :termsId, :answer, :now, :language, :digest)
    ON CONFLICT (user_id, terms_id) DO UPDATE SET answer = :answer, at = :now, language = :language, digest = :digest
    WHERE terms_answers.answer <> 'agreed' RETURNING user_id`;
  const params = { ...shown, answer, now };
  if (event) await writeTogether({ sql, params }, [auditing(event, now)]);
  else await write(sql, params);
}

/** How many people answered what to each version. */
export function countAnswers(): Promise<{ termsId: string; answer: TermsAnswer; count: number }[]> {
  return read(
    'SELECT terms_id, answer, COUNT(*) AS count FROM terms_answers GROUP BY terms_id, answer',
    {},
  );
}

/** How many people are asked: everyone with an account, or for an app those who use it. */
export async function countAsked(clientId: string | null): Promise<number> {
  const uses =
    clientId === null
      ? ''
      : 'AND EXISTS (SELECT 1 FROM grants g WHERE g.user_id = u.id AND g.client_id = :clientId)';
  const sql = `SELECT COUNT(*) AS count FROM users u WHERE u.disabled_at IS NULL ${uses}`;
  const row = await readOne<{ count: number }>(sql, clientId === null ? {} : { clientId });
  return row?.count ?? 0;
}

/** A person's answer, as admins and the person see it. */
export type TermsAnswerRecord = Omit<Columns<'terms_answers'>, 'answer'> & {
  answer: TermsAnswer;
  name: string;
  clientId: string | null;
  username: string;
  email: string;
};

type AnswerFilter = Paging & { termsId?: string; userId?: string; answer?: TermsAnswer };

/** Answers, the latest first. */
export const termsAnswerList = new Listing({
  sql: `SELECT a.user_id, a.terms_id, a.answer, a.at, a.language, a.digest, t.name, t.client_id, u.username, u.email
    FROM terms_answers a JOIN terms t ON t.id = a.terms_id JOIN users u ON u.id = a.user_id`,
  count: 'terms_answers a',
  conditions({ termsId, userId, answer }: AnswerFilter) {
    const conditions = new Conditions();
    if (termsId) conditions.and('a.terms_id = ?', termsId);
    if (userId) conditions.and('a.user_id = ?', userId);
    if (answer) conditions.and('a.answer = ?', answer);
    return conditions;
  },
  order: () => ({
    columns: [
      { sql: 'a.at', moment: ({ at }) => at },
      { sql: 'a.user_id', text: ({ userId }) => userId },
      { sql: 'a.terms_id', text: ({ termsId }) => termsId },
    ],
    direction: 'descending',
  }),
  sorts: {},
  toRecord: (row: TermsAnswerRecord) => row,
});

/** Everything that a person answered, the latest first. */
export const listAnswersOf = async (userId: string): Promise<TermsAnswerRecord[]> =>
  (await termsAnswerList.page({ userId, limit: mostTerms })).rows;
