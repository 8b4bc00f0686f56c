import { expect, test } from 'vitest';
import { askProvider, fetchDocument, postForm } from '#lib/http/outgoing.ts';
import { isBreached } from '#lib/identity/breached.ts';
import { connectTo } from '#lib/identity/directory/connection.ts';
import { guessesOf } from '#lib/identity/password-strength.ts';
import { hashPassword, verifyPassword } from '#lib/identity/passwords.ts';
import { send } from '#lib/mail/transport.ts';
import { actingFreely, perform } from '#lib/management/act.ts';
import { readPicture } from '#lib/management/pictures.ts';
import { userActs } from '#lib/management/user/acts.ts';
import { inOneTransaction } from '#lib/store/engine/database.ts';
import { onOneForChange } from '../support/on-each-database.ts';
import { newUser } from '../support/seed.ts';
import { filesThatUse, linesWith } from '../world/doors.ts';

const server = {
  url: 'ldap://127.0.0.1:1',
  host: '127.0.0.1',
  port: 1,
  secured: 'none',
  ca: null,
} as Parameters<typeof connectTo>[0];

/** Everything that waits for another machine, a hash or a file. */
const waiting: Record<string, () => unknown> = {
  hashPassword: () => hashPassword('a password'),
  verifyPassword: () => verifyPassword('a password', null),
  guessesOf: () => guessesOf('a password', []),
  isBreached: () => isBreached('/nowhere', 'a password'),
  fetchDocument: () => fetchDocument('https://app.example/', null),
  postForm: () => postForm('https://app.example/', {}),
  askProvider: () => askProvider('https://idp.example/'),
  connectTo: () => connectTo(server, AbortSignal.timeout(1)),
  send: () => send('smtp://127.0.0.1:1', 'id', {} as Parameters<typeof send>[2]),
  readPicture: () => readPicture(new Uint8Array(8), 'logo'),
};

onOneForChange(() => {
  for (const [name, wait] of Object.entries(waiting))
    test(`transactions: ${name} is refused inside one`, async () => {
      const inside = inOneTransaction(async () => ({ keep: false, value: await wait() }));
      await expect(inside).rejects.toMatchObject({ name: 'WaitInTransaction' });
    });

  test('transactions: an act whose hash is made ahead fits into one, performed whole it does not', async () => {
    const { id } = await newUser();
    const by = actingFreely('admin', { id: 'root' }, new Date());
    const reset = () => perform(userActs.resetPassword, { id }, by);
    const inside = inOneTransaction(async () => ({ keep: true, value: await reset() }));
    await expect(inside).rejects.toMatchObject({ name: 'WaitInTransaction' });
    expect((await reset()).id).toBe(id);
  });
});

/** Files that reach for another machine, a thread or a file, and need not say so, each with why. */
const otherwise: Record<string, string> = {
  'lib/management/alert/upkeep.ts': 'a job of its own',
  'lib/store/engine/checkpoint.ts': 'the database itself',
  'lib/store/engine/sqlite-queue.ts': 'the database itself',
  'lib/telemetry/otlp.ts': 'sends in the background',
};
/** Rooms whose code never runs in a request. */
const apart = /^lib\/(tooling|package|server|cli|demo|reference|recipes|docs|doctor|backup)\//;

test('transactions: everything that can reach another machine, a thread or a file says that it waits', () => {
  const reaching = linesWith(
    /new Worker\(|^import \{.*\b(request|connect|lookup|open|readFile|stat|exec\w*|spawn)\b.*\} from 'node:|import\('(sharp|nodemailer)'\)|\bfetch\(/,
  )
    .map((line) => line.split(':')[0] ?? '')
    .filter((file) => file.startsWith('lib/') && !apart.test(file));
  const saying = filesThatUse('waitsFor', 'lib/store/engine/transaction.ts');
  expect([...new Set(reaching)].sort()).toEqual([...saying, ...Object.keys(otherwise)].sort());
});
