import { groupsOfApp, peopleOfApp, type Sought } from '../store/ldap-people.ts';
import { normalKey } from '../store/users.ts';
import { fixedEntries } from './entries.ts';
import { conditionsIn, type Filter, type Named, nameOf } from './filter.ts';
import {
  groupEntries,
  type KnownGroup,
  knownGroups,
  memberAttributes,
  type Pairs,
  pairsOf,
} from './groups.ts';
import { type Entry, matcherOf } from './match.ts';
import type { Scope } from './message.ts';
import { idsOfUuid, type Place, placeIn } from './names.ts';
import { every, type Narrowing, soughtGroups, soughtPeople } from './narrowing.ts';
import { personEntries } from './people.ts';
import { Refused } from './result.ts';
import { attributeNamed, keyOf } from './schema.ts';
import type { View } from './view.ts';

/** A part of the tree that a search goes through. */
type Section =
  | { is: 'entry'; entry: Entry }
  | { is: 'people'; only: Narrowing }
  | { is: 'groups'; only: string | null };

/** Where a search goes on: the section, and the last entry of it that was looked at. */
export type Position = { section: number; after: string };
export type Hit = { entry: Entry; at: Position };

type Walk = {
  base: string;
  scope: Scope;
  filter: Filter;
  /** The attributes of the filter and those that are sent. */
  wanted: ReadonlySet<string>;
  /** How many entries are enough, if that is known. */
  enough?: number;
};

/** How many people are read at once: of a search for few, few at first. */
const batch = 500;
/** As above, of groups, and if the members of each are read, too. */
const fewGroups = { plain: 50, withMembers: 1 };
const mostGroups = 10_000;

/**
 * The entries that match, some at a time and in an order that stays the same. @throws Refused if the
 * base names nothing that this view shows
 */
export async function* walk(search: Walk, view: View, from: Position): AsyncGenerator<Hit[]> {
  const sections = await sectionsOf(search, view);
  const named = await namedIn(search.filter, view);
  const isHit = matcherOf(search.filter);
  for (const [section, each] of sections.entries()) {
    if (section < from.section) continue;
    const after = section === from.section ? from.after : '';
    for await (const [entry, place] of entriesOf(each, { search, view, named, isHit, after })) {
      const hits = entry.filter(isHit);
      yield hits.map((one) => ({ entry: one, at: { section, after: place(one) } }));
    }
  }
}

type Going = {
  search: Walk;
  view: View;
  named: Named;
  isHit: (entry: Entry) => boolean;
  after: string;
};
/** Entries, and how the place of each is remembered. */
type Some = readonly [entries: readonly Entry[], place: (entry: Entry) => string];

async function* entriesOf(section: Section, going: Going): AsyncGenerator<Some> {
  if (section.is === 'people') yield* peopleIn(section.only, going);
  else if (section.is === 'groups') yield* groupsIn(section.only, going);
  else if (going.after === '') yield [[section.entry], () => 'seen'];
}

async function* peopleIn(only: Narrowing, { search, view, named, after }: Going) {
  const own: Narrowing = view.person ? { by: 'id', is: 'equal', values: [view.person.id] } : 'all';
  const sought = every([only, own, soughtPeople(search.filter, named, view)]);
  if (sought === 'none') return;
  let most = Math.min(batch, search.enough || batch);
  for (let last = after; ; most = Math.min(batch, 2 * most)) {
    const rows = await peopleOfApp(view.client, soughtOf(sought), { after: last, most });
    const entries = await personEntries(rows, search.wanted, view);
    const ids = new Map(entries.map((entry, index) => [entry, rows[index]?.id ?? '']));
    yield [entries, (entry: Entry) => ids.get(entry) ?? ''] as const;
    last = rows.at(-1)?.id ?? '';
    if (rows.length < most) return;
  }
}

async function* groupsIn(only: string | null, going: Going) {
  const { search, view, named, after } = going;
  const sought = soughtGroups(search.filter, named, view);
  if (sought === 'none') return;
  const known = (await groupsSeen(sought, view)).filter(
    ({ name }) => name > after && (only === null || name === only),
  );
  const pairs = await pairsOf(named);
  const reads = memberAttributes.some((name) => search.wanted.has(name));
  const few = reads ? fewGroups.withMembers : fewGroups.plain;
  for (let from = 0; from < known.length; from += few) {
    const some = await matching(known.slice(from, from + few), going, pairs);
    const entries = await groupEntries(some, search.wanted, view, pairs);
    const names = new Map(entries.map((entry, index) => [entry, some[index]?.name ?? '']));
    yield [entries, (entry: Entry) => names.get(entry) ?? ''] as const;
  }
}

/** The groups that match, if that shows without reading the members of each. */
async function matching(
  groups: KnownGroup[],
  { search, view, isHit }: Going,
  pairs: Pairs,
): Promise<KnownGroup[]> {
  const isOfMembers = [...conditionsIn(search.filter)].some(
    ({ is, attribute }) =>
      is !== 'equal' && memberAttributes.some((name) => name === attributeNamed(attribute)),
  );
  if (isOfMembers) return groups;
  const wanted = new Set(search.wanted);
  for (const name of memberAttributes) wanted.delete(name);
  const entries = await groupEntries(groups, wanted, view, pairs);
  return groups.filter((_, index) => {
    const entry = entries[index];
    return entry !== undefined && isHit(entry);
  });
}

const soughtOf = (narrowing: Narrowing): Sought | null =>
  typeof narrowing === 'string' ? null : narrowing;

/** @throws Refused if there are more than a search goes through */
async function groupsSeen(sought: Narrowing, view: View): Promise<KnownGroup[]> {
  const own: Narrowing = view.person
    ? { by: 'member', is: 'equal', values: [view.person.id] }
    : 'all';
  const rows = await groupsOfApp(view.client, soughtOf(every([sought, own])), mostGroups + 1);
  if (rows.length > mostGroups)
    throw new Refused('adminLimitExceeded', `There are more than ${mostGroups} groups.`);
  return knownGroups(rows, view);
}

async function sectionsOf({ base, scope }: Walk, view: View): Promise<Section[]> {
  const place = placeIn(base, view.baseDn);
  if (!place || ('app' in place && place.app !== view.client.id)) throw noSuch(base, view);
  const { domain, app, people, groups } = fixedEntries(view);
  const of = (entry: Entry, ...below: Section[][]): Section[] => {
    const own: Section[] = [{ is: 'entry', entry }];
    if (scope === 'base') return own;
    // Directly below are the first of each part; the parts below them are for whole subtrees.
    const next =
      scope === 'one'
        ? below.map(([first]) => first).filter((one) => one !== undefined)
        : below.flat();
    return scope === 'one' ? next : [...own, ...next];
  };
  const allPeople: Section[] = [{ is: 'people', only: 'all' }];
  const allGroups: Section[] = [{ is: 'groups', only: null }];
  const inPeople: Section[] = [{ is: 'entry', entry: people }, ...allPeople];
  const inGroups: Section[] = [{ is: 'entry', entry: groups }, ...allGroups];
  const inApp: Section[] = [{ is: 'entry', entry: app }, ...inPeople, ...inGroups];
  switch (place.at) {
    case 'people':
      return of(people, allPeople);
    case 'groups':
      return of(groups, allGroups);
    case 'app':
      return of(app, inPeople, inGroups);
    case 'person':
    case 'group':
      return leafOf(place, { base, scope }, view);
    default:
      return of(domain, inApp);
  }
}

/** A single person or group, below which there is nothing. */
async function leafOf(
  place: Extract<Place, { at: 'person' | 'group' }>,
  { base, scope }: Pick<Walk, 'base' | 'scope'>,
  view: View,
): Promise<Section[]> {
  const leaf =
    place.at === 'person' ? await personAt(place, view) : await groupAt(place.value, view);
  if (leaf === null) throw noSuch(base, view);
  if (scope === 'one') return [];
  if (place.at === 'group') return [{ is: 'groups', only: leaf }];
  return [{ is: 'people', only: { by: 'id', is: 'equal', values: [leaf] } }];
}

const noSuch = (base: string, { baseDn, client }: View) =>
  new Refused(
    'noSuchObject',
    `There is no entry ${base.slice(0, 200)} here. The base DN of this app is cn=${client.id},${baseDn}.`,
    baseDn,
  );

/** The id of a person whom this view shows, by the name in a DN; null: there is none. */
async function personAt(
  { by, value }: Extract<Place, { at: 'person' }>,
  { client, person }: View,
): Promise<string | null> {
  const key = String(keyOf(by === 'mail' ? 'mail' : 'uid', value));
  const column = by === 'mail' ? 'email' : 'username';
  const sought: Sought =
    by === 'entryuuid'
      ? { by: 'id', is: 'equal', values: idsOfUuid(value) ?? [] }
      : { by: column, is: 'equal', values: [key] };
  const [found] = await peopleOfApp(client, sought, { after: '', most: 1 });
  return found && (person === null || person.id === found.id) ? found.id : null;
}

/** The name of a group that this view shows, as it is spelled; null: there is none. */
async function groupAt(name: string, view: View): Promise<string | null> {
  const found = (await groupsSeen(byToldName(name, view), view)).filter(
    (group) => normalKey(group.name) === normalKey(name),
  );
  return found[0]?.name ?? null;
}

/** Groups that the app may know by this name. */
function byToldName(name: string, { client: { groupNames } }: View): Sought {
  const own = Object.entries(groupNames).filter(([, told]) => normalKey(told) === normalKey(name));
  const values = [name, ...own.map(([group]) => group)].map(normalKey);
  return { by: 'groupName', is: 'equal', values };
}

/** The most different names of members and groups in one filter. */
const mostNamed = 100;

/** The ids that the names of people and groups in a filter stand for. */
async function namedIn(filter: Filter, view: View): Promise<Named> {
  const named = new Map<string, readonly string[]>();
  for (const condition of conditionsIn(filter)) {
    const attribute = attributeNamed(condition.attribute);
    if (attribute === null || !('value' in condition)) continue;
    const key = nameOf(attribute, String(keyOf(attribute, condition.value)));
    if (named.has(key)) continue;
    const ids = await idsNamed(attribute, condition.value, view);
    if (ids) named.set(key, ids);
    if (named.size > mostNamed)
      throw new Refused('adminLimitExceeded', 'The filter names too many people and groups.');
  }
  return named;
}

async function idsNamed(attribute: string, value: string, view: View): Promise<string[] | null> {
  if (attribute === 'memberUid') return idOfPerson({ by: 'uid', value }, view);
  const isOfGroup = attribute === 'member' || attribute === 'uniqueMember';
  if (!isOfGroup && attribute !== 'memberOf' && attribute !== 'isMemberOf') return null;
  const place = placeIn(value, view.baseDn);
  if (!place || !('app' in place) || place.app !== view.client.id) return [];
  if (isOfGroup) return place.at === 'person' ? idOfPerson(place, view) : [];
  if (place.at !== 'group') return [];
  const groups = await groupsSeen(byToldName(place.value, view), view);
  return groups.flatMap(({ of }) => of.map(({ id }) => id));
}

async function idOfPerson(
  { by, value }: Pick<Extract<Place, { at: 'person' }>, 'by' | 'value'>,
  view: View,
): Promise<string[]> {
  const id = await personAt({ at: 'person', app: view.client.id, by, value }, view);
  return id === null ? [] : [id];
}
