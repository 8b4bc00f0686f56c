import { findTerms, type TermsAnswerRecord, termsAnswerList } from '../../store/terms.ts';
import { csvLine } from '../csv.ts';

/** Answers read at a time, so memory stays small however many there are. */
const step = 500;

const columns: [string, (answer: TermsAnswerRecord) => string | null][] = [
  ['terms', ({ name }) => name],
  ['client_id', ({ clientId }) => clientId],
  ['user_id', ({ userId }) => userId],
  ['username', ({ username }) => username],
  ['email', ({ email }) => email],
  ['answer', ({ answer }) => answer],
  ['at', ({ at }) => at.toISOString()],
  ['language', ({ language }) => language],
  ['digest', ({ digest }) => digest],
];

/** Streams the answers to a version as CSV, the latest first; none if there is no such version. */
export async function* exportAnswers(name: string): AsyncGenerator<string> {
  yield csvLine(columns.map(([head]) => head));
  const found = await findTerms('name', name);
  if (!found) return;
  for await (const rows of termsAnswerList.pages({ termsId: found.id }, step))
    yield rows.map((row) => csvLine(columns.map(([, value]) => value(row)))).join('');
}
