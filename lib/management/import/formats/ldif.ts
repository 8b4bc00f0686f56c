import { sentence } from '../../../messages/sentence.ts';
import { type ArrivingPerson, type Reader, UnreadableFile } from './arrivals.ts';
import { shutOutBy } from './shut-out.ts';

/** Attributes of an entry, by name in lower case. */
type Entry = Map<string, string[]>;

const isPerson = (entry: Entry) => classesOf(entry).some((name) => /person|account$/.test(name));
const isGroup = (entry: Entry) => classesOf(entry).some((name) => name.includes('group'));
const classesOf = (entry: Entry) =>
  (entry.get('objectclass') ?? []).map((name) => name.toLowerCase());
const normal = (dn: string) =>
  dn
    .toLowerCase()
    .split(/([,=])/)
    .map((part) => part.trim())
    .join('');

/** A directory as `slapcat` or `ldapsearch` writes it (RFC 2849). Groups: `member`, `memberUid`. */
export const readLdif: Reader = (text) => {
  const entries = entriesIn(text);
  if (entries.length === 0) throw new UnreadableFile(sentence('refused.unreadable.noEntry'));
  const groups = entries.filter((entry) => isGroup(entry) && entry.has('cn'));
  const byMember = new Map<string, string[]>();
  for (const group of groups)
    for (const member of membersOf(group)) add(byMember, member, firstOf(group, 'cn') ?? '');
  const people = entries.filter((entry) => isPerson(entry) && !isGroup(entry));
  return {
    people: people.map((entry) => arrivalOf(entry, byMember)),
    groups: groups.flatMap((group) => firstOf(group, 'cn') ?? []),
  };
};

/** Appends in place: copying the list for each value would take quadratic time. */
function add(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

const membersOf = (group: Entry): string[] => [
  ...[...(group.get('member') ?? []), ...(group.get('uniquemember') ?? [])].map(normal),
  ...(group.get('memberuid') ?? []).map((uid) => `uid ${uid}`),
];

const firstOf = (entry: Entry, name: string): string | undefined =>
  entry.get(name)?.[0] || undefined;

function arrivalOf(entry: Entry, byMember: ReadonlyMap<string, string[]>): ArrivingPerson {
  const username = firstOf(entry, 'uid') ?? firstOf(entry, 'samaccountname');
  const [given, family] = [firstOf(entry, 'givenname'), firstOf(entry, 'sn')];
  const keys = [normal(firstOf(entry, 'dn') ?? ''), `uid ${username}`];
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
    groups: [...new Set(keys.flatMap((key) => byMember.get(key) ?? []))],
  };
}

function entriesIn(text: string): Entry[] {
  // A line that begins with a space continues the one before.
  const lines = text.replace(/\r\n/g, '\n').replace(/\n /g, '').split('\n');
  const entries: Entry[] = [];
  let entry: Entry = new Map();
  for (const [at, line] of [...lines, ''].entries()) {
    if (line.startsWith('#')) continue;
    if (line === '') {
      if (entry.has('dn')) entries.push(entry);
      entry = new Map();
    } else addLine(entry, line, at + 1);
  }
  return entries;
}

function addLine(entry: Entry, line: string, at: number): void {
  const found = /^([A-Za-z][\w.-]*)(?:;[\w;-]+)?:(:?)[ ]*(.*)$/s.exec(line);
  if (!found) {
    const line = { line: String(at), why: sentence('refused.unreadable.ldif') };
    throw new UnreadableFile(sentence('refused.unreadable.line', line));
  }
  const [, name = '', isEncoded, said = ''] = found;
  const value = isEncoded ? Buffer.from(said, 'base64').toString() : said;
  add(entry, name.toLowerCase(), value);
}
