import { dnKey } from '../../identity/directory/dn.ts';
import { shutOutBy } from '../../identity/shut-out.ts';
import { type Sentence, sentence } from '../../messages/sentence.ts';
import { type ArrivingPerson, addTo, groupsAt, type Reader, UnreadableFile } from '../arrivals.ts';

/** Attributes of an entry, by name in lower case. */
type Entry = Map<string, string[]>;

const isPerson = (entry: Entry) => classesOf(entry).some((name) => /person|account$/.test(name));
const isGroup = (entry: Entry) => classesOf(entry).some((name) => name.includes('group'));
const classesOf = (entry: Entry) =>
  (entry.get('objectclass') ?? []).map((name) => name.toLowerCase());
/** A directory as `slapcat` or `ldapsearch` writes it (RFC 2849). Groups: `member`, `memberUid`. */
export const readLdif: Reader = (text) => {
  const entries = entriesIn(text);
  if (entries.length === 0) throw new UnreadableFile(sentence('refused.unreadable.noEntry'));
  const groups = entries.filter((entry) => isGroup(entry) && entry.has('cn'));
  const byMember = new Map<string, string[]>();
  for (const group of groups)
    for (const member of membersOf(group)) addTo(byMember, member, firstOf(group, 'cn') ?? '');
  const people = entries.filter(
    (entry) => isPerson(entry) && !isGroup(entry) && !usernameOf(entry)?.endsWith('$'),
  );
  return {
    people: people.map((entry) => arrivalOf(entry, byMember)),
    groups: groups.flatMap((group) => firstOf(group, 'cn') ?? []),
  };
};

const membersOf = (group: Entry): string[] => [
  ...[...(group.get('member') ?? []), ...(group.get('uniquemember') ?? [])].map((dn) => dnKey(dn)),
  ...(group.get('memberuid') ?? []).map((uid) => `uid ${uid}`),
];

const firstOf = (entry: Entry, name: string): string | undefined =>
  entry.get(name)?.[0] || undefined;

/** That of a machine ends with `$`. */
const usernameOf = (entry: Entry): string | undefined =>
  firstOf(entry, 'uid') ?? firstOf(entry, 'samaccountname');

function arrivalOf(entry: Entry, byMember: ReadonlyMap<string, string[]>): ArrivingPerson {
  const username = usernameOf(entry);
  const [given, family] = [firstOf(entry, 'givenname'), firstOf(entry, 'sn')];
  const keys = [dnKey(firstOf(entry, 'dn') ?? ''), `uid ${username}`];
  return {
    id: firstOf(entry, 'entryuuid'),
    username,
    email: firstOf(entry, 'mail'),
    name: firstOf(entry, 'displayname') ?? firstOf(entry, 'cn'),
    hash: firstOf(entry, 'userpassword'),
    disabled: shutOutBy(entry) !== null,
    claims: {
      given_name: given,
      family_name: family,
      phone_number: firstOf(entry, 'telephonenumber'),
      locale: firstOf(entry, 'preferredlanguage'),
    },
    groups: [...new Set(groupsAt(byMember, keys))],
  };
}

/** The lines of the file as they were before folding, with their numbers in it (RFC 2849). */
function* wholeLines(text: string): Generator<{ line: string; at: number }> {
  let whole = { parts: [''], at: 0 };
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.startsWith(' ') && index > 0) whole.parts.push(line.slice(1));
    else {
      if (index > 0) yield { line: whole.parts.join(''), at: whole.at };
      whole = { parts: [line], at: index + 1 };
    }
  }
  yield { line: whole.parts.join(''), at: whole.at };
}

function entriesIn(text: string): Entry[] {
  const entries: Entry[] = [];
  let read = new EntryReader();
  for (const { line, at } of wholeLines(text)) {
    if (line.startsWith('#')) continue;
    // Programs that fill lines with blanks also fill empty ones.
    if (line.trim() !== '') read.addLine(line, at);
    else {
      entries.push(...read.entries());
      read = new EntryReader();
    }
  }
  return [...entries, ...read.entries()];
}

/** `name;options: value`, `name:: base64` or `name:< url`. A name may be an OID (RFC 4512 2.5). */
const lineForm = /^([A-Za-z][\w-]*|\d+(?:\.\d+)+)((?:;[^:;\s]+)*):([:<]?)[ ]*(.*)$/s;

class EntryReader {
  readonly #plain: Entry = new Map();
  readonly #withOptions: Entry = new Map();

  addLine(line: string, at: number): void {
    const found = lineForm.exec(line);
    if (!found) throw unreadable(at, line === '-' ? changes : sentence('refused.unreadable.ldif'));
    const [, name = '', options = '', form, said = ''] = found;
    const key = name.toLowerCase();
    if (key === 'changetype' && said.trim().toLowerCase() !== 'add') throw unreadable(at, changes);
    if (form === '<') return;
    const value = form === ':' ? Buffer.from(said, 'base64').toString() : said.trimEnd();
    // Active Directory writes long lists in portions: `member;range=0-1499`.
    const isPlain = options === '' || /^;range=/i.test(options);
    addTo(isPlain ? this.#plain : this.#withOptions, key, value);
  }

  /** None if there were only lines about the file. Values without options stand first. */
  entries(): Entry[] {
    if (!this.#plain.has('dn')) return [];
    for (const [name, values] of this.#withOptions)
      for (const value of values) addTo(this.#plain, name, value);
    return [this.#plain];
  }
}

const changes = sentence('refused.unreadable.changes');

const unreadable = (at: number, why: Sentence) =>
  new UnreadableFile(sentence('refused.unreadable.line', { line: String(at), why }));
