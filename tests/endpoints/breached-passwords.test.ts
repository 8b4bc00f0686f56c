import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newFolder } from '../support/database.ts';
import { confirmedBy } from '../support/factors.ts';
import { textOf } from '../support/html.ts';
import { logOf } from '../support/log-lines.ts';
import { openServer } from '../support/open-server.ts';
import { newPerson, Person } from '../support/person.ts';
import { newUser, password } from '../support/seed.ts';
import { setPassword } from '../support/set-password.ts';

const file = `${newFolder('breached')}/known.txt`;
// Long and made of unrelated words, so that only the file speaks against it.
const known = 'gravel umbrella ninety saxophone';
const write = (passwords: readonly string[]) =>
  writeFileSync(
    file,
    passwords
      .map((each) => `${createHash('sha1').update(each).digest('hex').toUpperCase()}:7\n`)
      .sort()
      .join(''),
  );
write([known, password]);
const server = await openServer({ BREACHED_PASSWORDS: file });

async function choose(person: Person, word: string): Promise<string> {
  const page = await person.open('/account/sign-in');
  const done = await person.submit(page, '/account/password/submit', {
    new_password: word,
    ...confirmedBy(),
  });
  return textOf(done.html);
}

test('a user cannot choose a password from the breach file, and reads why', async () => {
  const person = await newPerson(server);
  expect(await choose(person, known)).toContain('known from a break-in at some other service');
  expect(await choose(person, `${known} and more`)).toContain('Password changed');
});

test('an admin cannot set a password from the breach file', async () => {
  const { id } = await newUser();
  await expect(setPassword(id, known)).rejects.toThrow('break-in');
});

test('a user whose password is in the breach file can still sign in', async () => {
  const { username } = await newUser();
  expect((await new Person(server, username).signIn()).at).toBe('/account');
});

test('a broken or missing breach file blocks no password, and is logged', async () => {
  try {
    writeFileSync(file, 'Not found\n'.repeat(10_000));
    expect(await choose(await newPerson(server), `${known} 1`)).toContain('Password changed');
    rmSync(file);
    const person = await newPerson(server);
    expect(await choose(person, known)).toContain('Password changed');
    expect((await new Person(server, person.username).signIn(person.username, known)).at).toBe(
      '/account',
    );
    const log = await logOf(server);
    expect(log.match(/the file of breached passwords cannot be used/g)).toHaveLength(2);
    expect(log).not.toContain(known);
  } finally {
    write([known]);
  }
});
