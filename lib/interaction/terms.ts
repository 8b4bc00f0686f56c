import { termsDueFrom } from '../access/terms.ts';
import { actorAt } from '../http/actor.ts';
import type { HttpRequest, VisitorRequest } from '../http/message.ts';
import { readSession } from '../identity/session.ts';
import type { Client } from '../oauth/client.ts';
import { first, type Params } from '../oauth/params.ts';
import { digest } from '../oauth/secrets.ts';
import { inForce, type TermsAnswer } from '../people/terms.ts';
import { eventBy } from '../store/actor.ts';
import { findClient } from '../store/clients.ts';
import type { Session } from '../store/sessions.ts';
import { findTerms, readTerms, storeTermsAnswer, type TermsRecord } from '../store/terms.ts';
import { deviceBehind } from './device-request.ts';
import type { Elsewhere } from './page.ts';
import { resumeForPage } from './resume.ts';
import { continueAddress, type ReturnTo, stepAddress } from './return-to.ts';

/** What the user of this browser is asked to agree to. */
export type TermsAsked = {
  session: Session;
  terms: TermsRecord;
  /** They can no longer put it off. */
  must: boolean;
  /** The app whose terms they are; null: this server's. */
  app: Client | null;
};

type Way = Pick<ReturnTo, 'sealed' | 'back'>;

/** What a user has to answer on their way, or where they go instead. */
export async function termsOnWay(
  way: Way,
  request: VisitorRequest,
  now: Date,
): Promise<TermsAsked | Elsewhere> {
  const { session } = await readSession(request, now);
  if (!session) return { elsewhere: stepAddress('/login', way) };
  const client = await clientOnWay(way, request, now);
  if (client && 'elsewhere' in client) return client;
  const due = await termsDueFrom(session.user.id, client?.id ?? null, now);
  const terms = due && (await findTerms('id', due.terms.id));
  if (!terms) return { elsewhere: continueAddress(way) };
  const { clientId } = terms;
  const app = clientId === null ? null : await findClient(clientId);
  return { session, terms, must: due.must, app };
}

async function clientOnWay(
  { sealed, back }: Way,
  request: VisitorRequest,
  now: Date,
): Promise<Client | Elsewhere | null> {
  if (sealed === undefined) return (await deviceBehind(back, request, now))?.client ?? null;
  const resumed = await resumeForPage(request, sealed, now);
  return 'elsewhere' in resumed ? resumed : resumed.checked.client;
}

/** The terms that somebody agrees to who creates an account; null: there are none. */
export async function termsForNewcomers(now: Date): Promise<TermsRecord | null> {
  const last = inForce(await readTerms(), null, now).at(-1);
  return last ? findTerms('id', last.id) : null;
}

/** The terms that a form showed, and in which language. */
type TermsShown = { terms: TermsRecord; language: string };

/** Null if the form showed other terms than these. */
export function shownIn(fields: Params, terms: TermsRecord): TermsShown | null {
  const language = first(fields, 'language') ?? '';
  const isShown = first(fields, 'terms') === terms.id && Object.hasOwn(terms.texts, language);
  return isShown ? { terms, language } : null;
}

/** What somebody agreed to with the form for their account. */
export async function agreedIn(
  fields: Params,
  now: Date,
): Promise<TermsShown | 'not-asked' | 'not-agreed'> {
  const terms = await termsForNewcomers(now);
  if (!terms) return 'not-asked';
  const shown = first(fields, 'agreed') === undefined ? null : shownIn(fields, terms);
  return shown ?? 'not-agreed';
}

/** What the form says then. */
export const notAgreed = { errors: { terms: 'terms.unchecked' } } as const;

/** Stores what somebody answered, with a digest of the text that they were shown. */
export async function storeAnswer(
  { terms, language, answer, userId }: TermsShown & { answer: TermsAnswer; userId: string },
  request: HttpRequest,
  now: Date,
): Promise<void> {
  const { id: termsId, name, clientId } = terms;
  const shown = { userId, termsId, language, digest: digest(terms.texts[language] ?? '') };
  const detail = { name, language, digest: shown.digest };
  const event =
    answer === 'later'
      ? null
      : eventBy(actorAt(request, userId), `terms.${answer}`, { userId, clientId, detail });
  await storeTermsAnswer(shown, answer, event, now);
}
