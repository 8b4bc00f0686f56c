import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDirectories } from '#lib/identity/directory/configured.ts';
import { askForPassword } from '#lib/identity/directory/passwords.ts';
import { syncDirectory } from '#lib/identity/directory/sync.ts';
import { readVouchedEmail } from '#lib/people/email.ts';
import { write } from '#lib/store/engine/database.ts';
import { findUser } from '#lib/store/users.ts';
import { password, unique } from '../management/people.ts';
import { createDatabase } from '../support/database.ts';
import {
  entry,
  message,
  operations,
  result,
  startLyingDirectory,
} from '../support/lying-directory.ts';
import { putMade } from '../support/made.ts';
import { workOn } from '../support/work-on.ts';
import { addresses, notAddresses } from './addresses-of-people.ts';
import { marks } from './marks.ts';
import { names, notNames } from './names.ts';

/*
 * A directory that is asked, over the tables of what people have and of what shuts them out. It has
 * one person at a time, whatever it is asked for.
 */

let there: Record<string, string> = {};
const server = await startLyingDirectory(({ id, operation, bytes }, socket) => {
  const isRight = bytes.includes(password) || bytes.includes('cn=reader');
  const say = (answer: Buffer) => socket.write(message(id, answer));
  if (operation !== operations.bind) say(entry(`uid=${there.uid},dc=example`, there));
  say(operation === operations.bind ? result(0x61, isRight ? 0 : 49) : result(0x65, 0));
});
afterAll(() => server.stop());

const directory = () => {
  const passwordOfReader = { bind_dn: 'cn=reader', bind_password_file: import.meta.filename };
  const one = {
    id: 'staff',
    name: 'Staff',
    servers: [server.url],
    people: { base: 'dc=example' },
    unencrypted: 'passwords can be read on the way',
    ...passwordOfReader,
  };
  return readDirectories(JSON.stringify({ directories: [one] }), '/');
};

beforeAll(async () => {
  workOn(await createDatabase('sqlite'));
  putMade('directories', directory());
  putMade('directory-servers', new Map());
});

const someone = (more: Record<string, string>) => {
  const uid = unique('there');
  there = { entryUUID: randomUUID(), uid, mail: `${uid}@example.org`, ...more };
  return uid;
};
async function signIn(login: string) {
  const answer = await askForPassword({ login, password, local: null }, { id: 'cli' }, new Date());
  return 'user' in answer ? await findUser(answer.user.id) : answer.reason;
}

test.each(addresses)('an address in a directory: $why', async ({ typed, stored }) => {
  await write('DELETE FROM users', {});
  const said = await signIn(someone({ mail: typed }));
  // A mailbox that only becomes this one by folding is another's.
  const isAnothers = readVouchedEmail(typed) === null;
  if (isAnothers) expect(said).toBe('directory-unfit');
  else expect(said).toMatchObject({ email: stored });
});

test.each(notAddresses)('no address in a directory: $why', async ({ typed }) => {
  expect(await signIn(someone({ mail: typed }))).toBe('directory-unfit');
});

// LDAP values are UTF-8: U+FFFD stands for bytes that are none.
const decoded = names.filter(({ typed }) => !typed.includes('\ufffd'));
test.each(decoded)('a name in a directory: $why', async ({ typed, kept }) => {
  expect(await signIn(someone({ cn: typed }))).toMatchObject({ name: kept });
});

test.each(notNames)(
  'no name in a directory, whose person comes in without one: $why',
  async (row) => {
    if (row.typed.isWellFormed())
      expect(await signIn(someone({ cn: row.typed }))).toMatchObject({ name: null });
  },
);

const lasting = marks.filter(({ name }) =>
  /^(userAccountControl|accountExpires|msDS-|pwd|nsAccountLock|krbPrincipal|ds-pwp|login(Dis|Exp)|orcl)/.test(
    name,
  ),
);

describe.each(lasting)('$name in a directory ($source)', ({ name, ...values }) => {
  test('shuts out from signing in and from what is open', async () => {
    await write('DELETE FROM users', {});
    const login = someone({});
    const user = await signIn(login);
    if (!user || typeof user === 'string') throw new Error('Not signed in.');
    for (const value of values.out.filter((each) => each !== '20260101120000Z')) {
      there = { ...there, [name]: value };
      expect(await signIn(login), value).toBe('directory-disabled');
      await syncDirectory(directory()[0] as never, new Date());
      expect((await findUser(user.id))?.disabled, value).toBe(true);
      delete there[name];
      expect(await signIn(login)).toMatchObject({ disabled: false });
    }
    for (const value of values.in) {
      there = { ...there, [name]: value };
      expect(await signIn(login), value).toMatchObject({ id: user.id });
    }
  });
});

test('a pause of a directory after wrong passwords disables nobody here', async () => {
  for (const [name, value] of [
    ['pwdAccountLockedTime', '20260101120000Z'],
    ['lockoutTime', '132539328000000000'],
    ['lockedByIntruder', 'TRUE'],
  ] as const) {
    const login = someone({ [name]: value });
    expect(await signIn(login)).toMatchObject({ disabled: false });
  }
});
