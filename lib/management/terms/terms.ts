import { sentence } from '../../messages/sentence.ts';
import { digest, newId } from '../../oauth/secrets.ts';
import { addSeconds } from '../../oauth/token-request.ts';
import { anyLanguage } from '../../own-words.ts';
import {
  daysToThink,
  inForce,
  type TermsAnswer,
  type TermsState,
  type TermsVersion,
  termsState,
} from '../../people/terms.ts';
import { type Actor, eventBy } from '../../store/actor.ts';
import { findClientRecord } from '../../store/client-list.ts';
import { distinctMoment } from '../../store/engine/distinct-moment.ts';
import type { Page, Paging } from '../../store/engine/page.ts';
import * as store from '../../store/terms.ts';
import {
  languageFault,
  linksFault,
  signsFault,
  tidyMarked,
  wordLanguages,
} from '../branding/words.ts';
import { refuseMissingClient } from '../client/clients.ts';
import { checkNotKept } from '../kept.ts';
import { pageOf } from '../page.ts';
import { type Faults, refuseAdmin, refuseFaults } from '../refusal.ts';

const longest = { most: 20_000, lines: 2_000 };
/** Bytes of all texts of a version together: a request with more would be too large. */
const mostBytes = 50_000;
const mostDays = 400;
const usualDays = 14;
const day = 86_400;

/** A version as admins see it. */
export type Terms = TermsVersion & {
  state: TermsState;
  /** How many people are asked, and answered what. */
  people: number;
} & Record<TermsAnswer, number>;

export type WholeTerms = Terms & Pick<store.TermsRecord, 'texts' | 'createdAt'>;

type NewTerms = {
  name: string;
  texts: Readonly<Record<string, string>>;
  from?: Date | undefined;
  days?: number | undefined;
  clientId?: string | undefined;
};

/** All versions, the last to hold first. */
export async function listTerms(now: Date): Promise<Terms[]> {
  const all = await store.listTerms();
  const counts = await store.countAnswers();
  const asked = new Map<string | null, number>();
  for (const { clientId } of all)
    if (!asked.has(clientId)) asked.set(clientId, await store.countAsked(clientId));
  return all.toReversed().map((each) => {
    const count = (answer: TermsAnswer) =>
      counts.find((row) => row.termsId === each.id && row.answer === answer)?.count ?? 0;
    return {
      ...each,
      state: termsState(each, all, now),
      people: asked.get(each.clientId) ?? 0,
      agreed: count('agreed'),
      later: count('later'),
      declined: count('declined'),
    };
  });
}

/** The version of this name. @throws AdminRefusal */
export async function showTerms(name: string, now: Date): Promise<WholeTerms> {
  const found = await store.findTerms('name', name);
  const listed = found && (await listTerms(now)).find(({ id }) => id === found.id);
  if (!listed) refuseAdmin('name', missing(name), 'missing');
  return { ...listed, texts: found.texts, createdAt: found.createdAt };
}

const missing = (name: string) => sentence('refused.terms.missing', { name: name.slice(0, 40) });

/**
 * Makes a version, of which only the end can change. Making it again only undoes that.
 * @throws AdminRefusal
 */
export async function createTerms(said: NewTerms, actor: Actor, now: Date): Promise<WholeTerms> {
  const before = await store.findTerms('name', said.name);
  if (before && isSame(said, before)) return askAgain(before, actor, now);
  if (before) refuseTaken(said.name);
  const terms = newTerms(said, now);
  refuseFaults({ ...termsFaults(said, terms.texts), ...(await orderFaults(terms)) });
  if (terms.clientId !== null && !(await findClientRecord(terms.clientId)))
    refuseMissingClient(terms.clientId.slice(0, 80));
  const { name, clientId, holdsFrom, requiredFrom } = terms;
  const digests = Object.entries(terms.texts).map(([tag, text]) => [tag, digest(text)]);
  const people = await store.countAsked(clientId);
  const facts = { from: holdsFrom, required: requiredFrom, texts: Object.fromEntries(digests) };
  const event = eventBy(actor, 'terms.created', { clientId, detail: { name, people, ...facts } });
  const stored = await store.storeTerms(terms, event);
  if (stored === 'taken') refuseTaken(name);
  if (stored === 'full')
    refuseAdmin(null, sentence('refused.terms.full', { most: `${store.mostTerms}` }), 'full');
  return showTerms(name, now);
}

const refuseTaken = (name: string): never =>
  refuseAdmin('name', sentence('refused.terms.taken', { name }), 'conflict');

/** Undoes that a version was ended, if it was. */
async function askAgain(
  { id, name, clientId }: store.TermsRecord,
  actor: Actor,
  now: Date,
): Promise<WholeTerms> {
  await checkNotKept({ kind: 'terms', key: name }, actor);
  await store.endTerms(
    id,
    null,
    eventBy(actor, 'terms.created', { clientId, detail: { name } }),
    now,
  );
  return showTerms(name, now);
}

/** Whether a version is what was said; a time that was not said is any. */
function isSame({ texts, from, days, clientId }: NewTerms, before: store.TermsRecord): boolean {
  return (
    JSON.stringify(soundOrder(texts)) === JSON.stringify(before.texts) &&
    (clientId ?? null) === before.clientId &&
    (from === undefined || from.getTime() === before.holdsFrom.getTime()) &&
    (days === undefined || days === daysToThink(before))
  );
}

function newTerms({ texts, from, days = usualDays, ...said }: NewTerms, now: Date) {
  const holdsFrom = from ?? now;
  return {
    id: newId(now),
    name: said.name,
    clientId: said.clientId ?? null,
    texts: soundOrder(texts),
    holdsFrom,
    requiredFrom: addSeconds(holdsFrom, days * day),
    createdAt: distinctMoment(now),
  };
}

/** Tidy texts in the order of the languages, so that equal ones are stored identically. */
function soundOrder(texts: Readonly<Record<string, string>>): Record<string, string> {
  const order = (tag: string) => wordLanguages.indexOf(tag);
  return Object.fromEntries(
    Object.entries(texts)
      .map(([tag, text]) => [tag, tidyMarked(text)] as const)
      .filter(([, text]) => text !== '')
      .sort(([one], [other]) => order(one) - order(other)),
  );
}

/** What is wrong with what was said, and with the tidy texts. */
function termsFaults(
  { name, days = usualDays }: Pick<NewTerms, 'name' | 'days'>,
  texts: Readonly<Record<string, string>>,
): Faults {
  const faults: Faults = {};
  if (!/^(?!new$|export$)[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/.test(name))
    faults.name = sentence('refused.terms.name');
  if (days < 0 || days > mostDays)
    faults.days = sentence('refused.terms.days', { most: `${mostDays}` });
  if (texts[anyLanguage] === undefined)
    faults[`texts.${anyLanguage}`] = sentence('refused.terms.noText');
  if (Buffer.byteLength(Object.values(texts).join('')) > mostBytes)
    faults.texts = sentence('refused.terms.long', { most: `${mostBytes / 1000}` });
  for (const [tag, text] of Object.entries(texts)) {
    const fault = languageFault(tag) ?? signsFault(text, longest) ?? linksFault(text);
    if (fault) faults[`texts.${tag}`] = fault;
  }
  return faults;
}

/** A version that holds earlier than the present one would ask nobody. */
async function orderFaults({ clientId, holdsFrom }: Pick<TermsVersion, 'clientId' | 'holdsFrom'>) {
  const faults: Faults = {};
  const later = inForce(await store.listTerms(), clientId, new Date(8.64e15)).at(-1);
  if (later && later.holdsFrom > holdsFrom)
    faults.from = sentence('refused.terms.order', {
      name: later.name,
      from: later.holdsFrom.toISOString(),
    });
  return faults;
}

/** Stops asking for a version; what people have agreed to is kept. @throws AdminRefusal */
export async function endTerms(name: string, actor: Actor, now: Date): Promise<WholeTerms> {
  const { id, clientId } = await showTerms(name, now);
  await checkNotKept({ kind: 'terms', key: name }, actor);
  const event = eventBy(actor, 'terms.ended', { clientId, detail: { name } });
  if (!(await store.endTerms(id, now, event, now)))
    refuseAdmin('name', sentence('refused.terms.ended', { name }));
  return showTerms(name, now);
}

/** What people answered to a version, the latest first. @throws AdminRefusal */
export async function listAnswers({
  name,
  ...filter
}: Paging & { name: string; answer?: TermsAnswer | undefined }): Promise<
  Page<store.TermsAnswerRecord>
> {
  const found = await store.findTerms('name', name);
  if (!found) refuseAdmin('name', missing(name), 'missing');
  return pageOf(store.termsAnswerList, { ...filter, termsId: found.id });
}
