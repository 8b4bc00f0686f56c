import { beforeAll, describe, expect, test } from 'vitest';
import { judgeArrivals } from '#lib/import/judge-arrivals.ts';
import { readArrivals } from '#lib/import/move.ts';
import type { Format } from '#lib/import/names.ts';
import { readers } from '#lib/import/table.ts';
import type { Sentence } from '#lib/messages/sentence.ts';
import { sentenceIn } from '#lib/messages/text.ts';
import { createDatabase } from '../support/database.ts';
import { processorTime } from '../support/linear.ts';
import { workOn } from '../support/work-on.ts';
import { hashParameters } from './files.ts';

/*
 * Files of the maximum size that the dashboard reads, made to cost as much as possible. They are
 * read in the thread that answers all requests, so each file's cost is measured in processor time
 * instead of by the clock.
 */

beforeAll(async () => workOn(await createDatabase('sqlite')));

const size = 1_000_000;
const mostPeople = 20_000;
const ada = 'dn: uid=ada\nobjectClass: person\nmail: a@example.org\n';
const filled = (piece: string, before = '', behind = '') =>
  before + piece.repeat(Math.floor((size - before.length - behind.length) / piece.length)) + behind;
const numbered = (
  of: (at: number) => string,
  before = '',
  behind = '',
  between = ',',
  most = Number.POSITIVE_INFINITY,
) => {
  const pieces: string[] = [];
  for (let [at, length] = [0, before.length]; length < size && at < most; at += 1) {
    const piece = of(at);
    pieces.push(piece);
    length += piece.length + between.length;
  }
  return before + pieces.slice(0, -1).join(between) + behind;
};
const nested = (open: string, close: string, depth: number, middle = '') =>
  open.repeat(depth) + middle + close.repeat(depth);

const realm = (groups: string) =>
  `{"realm":"x","users":[{"email":"a@example.org"}],"groups":[${groups}]}`;
const deepGroups = (depth: number, name: string) =>
  realm(nested(`{"name":"${name}","subGroups":[`, ']}', depth));
const person = (more: string) => `{"people":[{"email":"a@example.org",${more}}]}`;
const long = 'x'.repeat(size - 200);

const bombs: [what: string, from: Format, text: () => string][] = [
  ['deep JSON', 'json', () => nested('[', ']', size / 2)],
  ['deep objects', 'json', () => nested('{"a":', '}', size / 6, '1')],
  ['deep groups with short names', 'keycloak', () => deepGroups(35_000, 'a')],
  ['deep groups with long names', 'keycloak', () => deepGroups(2500, 'a'.repeat(360))],
  ['deep groups, as deep as they are read', 'keycloak', () => deepGroups(700, 'a'.repeat(1300))],
  ['groups side by side', 'keycloak', () => realm(numbered((at) => `{"name":"g${at}"}`))],
  ['groups of one', 'json', () => person(`"groups":[${numbered((at) => `"g${at}"`)}]`)],
  [
    'one name of a group in many ways',
    'json',
    () =>
      person(
        `"groups":[${numbered((at) => `"${at.toString(2).replaceAll('0', 'a').replaceAll('1', 'A')}"`)}]`,
      ),
  ],
  [
    'people of one name',
    'json',
    () =>
      numbered(
        (at) => `{"username":"a","email":"a@${at}.example"}`,
        '{"people":[',
        ']}',
        ',',
        mostPeople,
      ),
  ],
  [
    'people with names that look alike',
    'json',
    () =>
      numbered(
        (at) => `{"username":"\u0430@","email":"a@${at}.example"}`,
        '{"people":[',
        ']}',
        ',',
        mostPeople,
      ),
  ],
  ['a long username', 'json', () => person(`"username":"${long}"`)],
  [
    'a username of signs alone',
    'json',
    () => person(`"username":"${'.-'.repeat(size / 2 - 100)}"`),
  ],
  ['a long address', 'json', () => `{"people":[{"email":"a@${'b.'.repeat(size / 2 - 100)}c"}]}`],
  ['an address of signs', 'json', () => `{"people":[{"email":"${'@'.repeat(size - 100)}"}]}`],
  ['a long hash', 'json', () => person(`"password_hash":"$2b$10$${long}"`)],
  ['a long name', 'json', () => person(`"name":"${' '.repeat(size - 100)}x"`)],
  [
    'a claim of its own kind',
    'json',
    () => person(`"claims":{"__proto__":{"admin":true},"locale":"de"}`),
  ],
  ['many values of one attribute', 'ldif', () => filled('a:\n', ada)],
  [
    'many members of one group',
    'ldif',
    () => filled('member: x\n', `${ada}\ndn: g\nobjectClass: group\ncn: g\n`),
  ],
  [
    'one member of many groups',
    'ldif',
    () => filled('dn: g\nobjectClass: group\ncn: g\nmember: uid=ada\n\n', `${ada}\n`),
  ],
  ['one line that goes on', 'ldif', () => filled('\n x', 'dn: x')],
  ['a DN of commas', 'ldif', () => filled(',', `${ada}\ndn: `)],
  ['an attribute that is a name alone', 'ldif', () => filled('a', 'dn: x\n')],
  ['options of an attribute', 'ldif', () => filled(';a', 'dn: x\na')],
  ['deep YAML', 'authelia', () => nested('[', ']', size / 2)],
  [
    'deep YAML by indents',
    'authelia',
    () => Array.from({ length: 1300 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
  ],
  ['aliases', 'authelia', () => filled('b: *a\n', 'a: &a {}\n')],
  ['anchors', 'authelia', () => numbered((at) => `a${at}: &a${at} x`, '', '', '\n')],
  ['one key many times', 'authelia', () => filled('a: {}\n', 'users:\n')],
  ['many keys', 'authelia', () => numbered((at) => ` a${at}: {}`, 'users:\n', '', '\n')],
  ['quotes without end', 'authelia', () => filled('"', 'a: ')],
  ['empty cells', 'csv', () => filled(',', 'email')],
  ['empty cells below', 'csv', () => filled(',', 'email\n')],
  ['quotes', 'csv', () => filled('"', 'email\n')],
  ['empty lines', 'csv', () => filled('\n', 'email\n')],
  ['groups in a cell', 'csv', () => filled('a;', 'email,groups\na@example.org,')],
  ['lines without end', 'auth0', () => filled('{}\n')],
  ['objects on one line', 'auth0', () => filled('{}')],
  ['rows', 'authentik', () => numbered(() => '{"model":"a","fields":{}}', '[', ']')],
  ['posts', 'wordpress', () => filled('{},', '[', '{}]')],
  ['people', 'firebase', () => filled('{},', '{"users":[', '{}]}')],
  ['tables', 'pocket-id', () => nested('{"tables":', '}', size / 12, '1')],
];

describe('an import file of a megabyte', () => {
  test.each(bombs)(
    'of %s (%s) is read or refused, and costs seconds at most',
    async (_, from, text) => {
      const said = text();
      expect(said.length).toBeLessThanOrEqual(size + 200);
      const before = process.cpuUsage();
      const told = await judged(from, said);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1e6).toBeLessThan(10);
      // A refusal says where the fault is, and quotes nothing from the file except what identifies
      // the entry.
      expect(told.length).toBeLessThan(900);
      expect(({} as { admin?: boolean }).admin).toBeUndefined();
    },
    120_000,
  );
});

/** Half of each file says who people are, the other half in which groups. */
const half = (of: (at: number) => string, between = ',') =>
  numbered(of, 'x'.repeat(size / 2), '', between).slice(size / 2);
const memberships: [from: Format, text: string][] = [
  [
    'pocket-id',
    `{"tables":{"users":[${half(() => '{"id":""}')}],"user_groups_users":[${half(() => '{"user_id":"","user_group_id":""}')}]}}`,
  ],
  [
    'ldif',
    half(() => 'dn: a\nobjectClass: person\n', '\n') +
      half((at) => `\ndn: g\nobjectClass: group\ncn: ${at}\nmember: a\n`, ''),
  ],
  [
    'keycloak',
    realm(
      nested(
        '{"name":"a","subGroups":[',
        ']}',
        450,
        half((at) => `{"name":"${at}"}`),
      ),
    ),
  ],
];

test.each(memberships)(
  'people and groups of a %s file are matched in linear time',
  (from, text) => {
    const before = processorTime();
    const { people, groups = [] } = readers[from](text);
    expect(people.length + groups.length).toBeGreaterThan(10_000);
    expect(processorTime() - before).toBeLessThan(2000);
  },
);

/** The result for a file in a few words, or the reason why it cannot be read. */
async function judged(from: Format, text: string): Promise<string> {
  try {
    const secret = from === 'firebase' ? hashParameters : undefined;
    const { coming, wrong } = await judgeArrivals(readArrivals({ from, text, secret }), new Date());
    return `${coming.length} come, ${wrong.length} are wrong`;
  } catch (error) {
    const { said } = error as { said?: Sentence };
    if (!said) throw error;
    return `${said.key} ${sentenceIn('de', said)} ${JSON.stringify(said.values)}`;
  }
}

test.each([
  ['csv', 'email,password_hash\na@example.org,x"$2b$10$sesame'],
  ['csv', 'email,password_hash\na@example.org,"$2b$10$sesame"x'],
  ['csv', 'email,password_hash\na@example.org,"$2b$10$sesame'],
  ['csv', 'email,password_hash\na@example.org,$2b$10$sesame,sesame,sesame'],
  ['authelia', 'users: {a: {password: "$2b$10$sesame'],
  ['authelia', 'users:\n  a:\n    password: $2b$10$sesame: x: sesame'],
  ['authelia', 'users: *sesame'],
  ['authelia', 'users: {}\n---\nsesame: "sesame"\n}sesame'],
  ['json', '{"people":[{"email":"a@example.org","password_hash":"sesame]'],
  ['json', '{"people":[{"email":"a@example.org","password_hash":["sesame"]}]}'],
  ['keycloak', '{"users":[{"email":{"value":"sesame"}}]}'],
  ['auth0', '{"email":"a@example.org","passwordHash":"sesame'],
  ['ldif', 'dn: x\nuserPassword {SSHA}sesame'],
  ['firebase', '{"users":[{"passwordHash":["sesame"]}]}'],
] as const)(
  'the refusal of a malformed %s file for import does not quote it: %s',
  async (from, text) => {
    const told = await judged(from, text);
    expect(told).toMatch(/^refused\.move\.unreadable/);
    expect(told).not.toMatch(/sesame/);
  },
);
