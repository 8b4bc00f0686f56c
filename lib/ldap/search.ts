import { Backwards, Elements, element, integer, octets, sequence, tags } from './ber.ts';
import { conditionsIn } from './filter.ts';
import { memberAttributes } from './groups.ts';
import type { Entry } from './match.ts';
import { type Control, controlOf, type Message, type Search, writeEntry } from './message.ts';
import { type Code, codes, Refused, type Result } from './result.ts';
import { allSentWith, attributeNamed, keyOf } from './schema.ts';
import { nextTurn } from './turns.ts';
import type { View } from './view.ts';
import { type Hit, type Position, walk } from './walk.ts';

/** Seconds that one search may take. */
const longest = 60;
/** Milliseconds that a search may work before others have their turn. */
const longestTurn = 10;
/** The most entries of a page. */
const largestPage = 5000;
/** The most entries that are sorted for a client, and the most values in them. */
const mostSorted = 5000;
const mostSortedValues = 300_000;

export const pagedResults = '1.2.840.113556.1.4.319';
export const sortRequest = '1.2.840.113556.1.4.473';
const sortResponse = '1.2.840.113556.1.4.474';
/** Controls that change nothing here: there are no referrals, and no deleted or special entries. */
export const withoutEffect = ['2.16.840.1.113730.3.4.2', '1.2.840.113556.1.4.1339'];

/** Sends bytes, and waits while the other side does not read; false: nobody wants more. */
export type Send = (bytes: Buffer) => Promise<boolean>;

type Found = { result: Result; controls: Buffer[]; entries: number };

/** Answers a search in the tree (RFC 4511 section 4.5). @throws Refused, BadBer */
export async function answerSearch(
  { id, controls }: Pick<Message, 'id' | 'controls'>,
  search: Search,
  view: View,
  send: Send,
): Promise<Found> {
  const paging = readPaging(controls);
  const sort = readSort(controls);
  if (paging?.size === 0) return found(0, undefined, [pagingOf('')]);
  const from = sort ? first : (paging?.from ?? first);
  const enough = sort ? 0 : (paging?.size ?? search.most);
  const until = performance.now() + 1000 * Math.min(search.time || longest, longest);
  const sending = { id, search, select: selecting(search), until, send };
  const wanted = wantedBy(search, sort);
  const hits = whileWanted(walk({ ...search, wanted, enough }, view, from), sending);
  if (sort) return sorted(hits, sending, sort, paging);
  return paging ? page(hits, sending, paging) : all(hits, sending);
}

const first: Position = { section: 0, after: '' };

type Sending = {
  id: number;
  search: Search;
  select: ReturnType<typeof selecting>;
  until: number;
  send: Send;
};

const nothing = Buffer.alloc(0);

/**
 * Hits, while somebody waits for them and there is time. In between, others have their turn.
 * @throws Refused when the time is over
 */
async function* whileWanted(hits: AsyncIterable<Hit[]>, { until, send }: Sending) {
  let began = performance.now();
  for await (const some of hits) {
    const now = performance.now();
    if (now > until) throw new Refused('timeLimitExceeded', 'The search took too long.');
    if (now - began > longestTurn) {
      await nextTurn();
      began = performance.now();
    }
    if (!(await send(nothing))) return;
    if (some.length > 0) yield some;
  }
}

async function all(hits: AsyncIterable<Hit[]>, sending: Sending): Promise<Found> {
  let entries = 0;
  const { most } = sending.search;
  for await (const some of hits) {
    const room = most === 0 ? some.length : most - entries;
    await sendEntries(some.slice(0, room), sending);
    entries += Math.min(some.length, room);
    if (some.length > room) return found(entries, { code: 'sizeLimitExceeded' });
  }
  return found(entries);
}

const found = (
  entries: number,
  result: Result = { code: 'success' },
  controls: Buffer[] = [],
): Found => ({ entries, result, controls });

async function sendEntries(hits: readonly Hit[], { id, select, send }: Sending): Promise<boolean> {
  const out = new Backwards();
  for (const { entry } of hits.toReversed())
    writeEntry(out, id, { dn: entry.dn, attributes: select(entry) });
  return send(out.bytes);
}

/** `passed`: how many entries of a sorted search came before. */
type Paging = { size: number; from: Position; passed: number };

/** The cookie is a place in the order of entries, so nothing is kept between two pages. */
async function page(
  hits: AsyncIterable<Hit[]>,
  sending: Sending,
  { size, from }: Paging,
): Promise<Found> {
  const { most } = sending.search;
  const limit = most === 0 ? size : Math.min(most, size);
  let [entries, last] = [0, from];
  for await (const some of hits) {
    const now = some.slice(0, limit - entries);
    await sendEntries(now, sending);
    entries += now.length;
    last = now.at(-1)?.at ?? last;
    if (some.length > now.length || entries === limit) {
      const isOver = most > 0 && most <= entries;
      if (isOver) return found(entries, { code: 'sizeLimitExceeded' }, [pagingOf('')]);
      return found(entries, undefined, [pagingOf(`${last.section} ${last.after}`)]);
    }
  }
  return found(entries, undefined, [pagingOf('')]);
}

const pagingOf = (cookie: string) =>
  controlOf(pagedResults, element(sequence, integer(0), octets(cookie)));

/** RFC 2696. A size of 0 ends the search. @throws BadBer, Refused */
function readPaging(controls: readonly Control[]): Paging | null {
  const control = controls.find(({ type }) => type === pagedResults);
  if (!control) return null;
  const parts = new Elements(control.value).within(sequence);
  const [size, cookie] = [parts.number(), parts.text()];
  const [, section = '', after = ''] = /^(\d|sorted) (.{1,1000})$/s.exec(cookie) ?? [];
  if (cookie !== '' && section === '')
    throw new Refused('unwillingToPerform', 'The cookie of the page is none of this server.');
  const isSorted = section === 'sorted';
  return {
    size: Math.min(Math.max(0, size), largestPage),
    from: { section: isSorted ? 0 : Number(section), after: isSorted ? '' : after },
    passed: isSorted ? Number.parseInt(after, 10) || 0 : 0,
  };
}

type Sort = {
  keys: { attribute: string | null; name: string; reverse: boolean }[];
  isCritical: boolean;
};

/** RFC 2891. @throws BadBer */
function readSort(controls: readonly Control[]): Sort | null {
  const control = controls.find(({ type }) => type === sortRequest);
  if (!control) return null;
  const list = new Elements(control.value).within(sequence);
  const keys: Sort['keys'] = [];
  while (!list.areOver && keys.length < 10) {
    const key = list.within(sequence);
    const name = key.text();
    if (key.isNext(0x80)) key.next();
    const reverse = key.isNext(0x81) && key.flag(0x81);
    keys.push({ attribute: attributeNamed(name), name, reverse });
  }
  return { keys, isCritical: control.isCritical };
}

/** Collects a bounded number of entries, because the tables are not in that order. */
async function sorted(
  hits: AsyncIterable<Hit[]>,
  sending: Sending,
  sort: Sort,
  paging: Paging | null,
): Promise<Found> {
  const { search } = sending;
  const kept: Hit[] = [];
  let values = 0;
  for await (const some of hits) {
    kept.push(...some);
    for (const { entry } of some) for (const { length } of entry.values.values()) values += length;
    if (kept.length > mostSorted || values > mostSortedValues) break;
  }
  const isTooMuch = kept.length > mostSorted || values > mostSortedValues;
  const unknown = sort.keys.find(({ attribute }) => attribute === null);
  const told = sortedControl(
    isTooMuch ? 'adminLimitExceeded' : unknown && 'noSuchAttribute',
    unknown?.name,
  );
  if (isTooMuch || (unknown && sort.isCritical)) {
    const code = sort.isCritical ? 'unavailableCriticalExtension' : 'adminLimitExceeded';
    const says = isTooMuch
      ? `More than ${mostSorted} entries, or ${mostSortedValues} values, are not sorted.`
      : `There is no attribute ${unknown?.name.slice(0, 60)} to sort by.`;
    return found(0, { code, says }, [told]);
  }
  const inOrder = unknown ? kept : ordered(kept, sort);
  const passed = paging?.passed ?? 0;
  const size = Math.min(paging?.size ?? kept.length, search.most || kept.length);
  const now = inOrder.slice(passed, passed + size);
  await sendEntries(now, sending);
  const isMore = kept.length > passed + size;
  if (paging)
    return found(now.length, undefined, [told, pagingOf(isMore ? `sorted ${passed + size}` : '')]);
  return found(now.length, { code: isMore ? 'sizeLimitExceeded' : 'success' }, [told]);
}

function sortedControl(fault: Code | undefined, name?: string): Buffer {
  const code = integer(codes[fault ?? 'success'], tags.enumerated);
  const which = name === undefined ? [] : [octets(name, 0x80)];
  return controlOf(sortResponse, element(sequence, code, ...which));
}

function ordered(hits: readonly Hit[], { keys }: Sort): Hit[] {
  const keyed = hits.map((hit) => ({
    hit,
    keys: keys.map(({ attribute }) => smallest(attribute ?? '', hit.entry)),
  }));
  keyed.sort((one, other) => compared(one.keys, other.keys, keys));
  return keyed.map(({ hit }) => hit);
}

type Key = ReturnType<typeof smallest>;

/** Entries without the attribute come last (RFC 2891 section 2.2). */
function compared(one: readonly Key[], other: readonly Key[], keys: Sort['keys']): number {
  for (const [index, { reverse }] of keys.entries()) {
    const [a, b] = [one[index], other[index]];
    if (a === b) continue;
    const isBefore = b === undefined || (a !== undefined && a < b);
    return isBefore === reverse ? 1 : -1;
  }
  return 0;
}

const smallest = (attribute: string, { values }: Entry) =>
  (values.get(attribute) ?? []).map((value) => keyOf(attribute, value) ?? '').sort()[0];

/** The attributes of entries that a search asks for (RFC 4511 section 4.5.1.8). */
function sentBy({ attributes }: Pick<Search, 'attributes'>): Set<string> {
  const asked = attributes.length > 0 ? attributes : ['*'];
  const names = asked.flatMap((name) => allSentWith[name] ?? attributeNamed(name) ?? []);
  return new Set(names);
}

/** The attributes that have to be read for a search. */
function wantedBy(search: Search, sort: Sort | null): ReadonlySet<string> {
  const wanted = sentBy(search);
  for (const condition of conditionsIn(search.filter)) {
    const attribute = attributeNamed(condition.attribute) ?? '';
    // Equality with a member is decided without reading all members.
    if (condition.is !== 'equal' || !isOfMembers(attribute)) wanted.add(attribute);
  }
  for (const { attribute } of sort?.keys ?? []) wanted.add(attribute ?? '');
  return wanted;
}

const isOfMembers = (attribute: string) => memberAttributes.some((name) => name === attribute);

/** Picks the attributes of entries that are sent. */
export function selecting(search: Pick<Search, 'attributes' | 'typesOnly'>) {
  const sent = sentBy(search);
  return ({ values }: Entry): [string, readonly string[]][] =>
    [...values]
      .filter(([name]) => sent.has(name))
      .map(([name, list]) => [name, search.typesOnly ? [] : list]);
}
