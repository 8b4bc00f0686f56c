import { beforeAll, expect, test } from 'vitest';
import type { HttpRequest } from '#lib/http/message.ts';
import { limitLetters } from '#lib/identity/letter-limits.ts';
import { askForCode } from '#lib/identity/mail-code.ts';
import { signIn } from '#lib/identity/sign-in.ts';
import { leaveQueuesToServer } from '#lib/queue.ts';
import { findUserByLogin } from '#lib/store/users.ts';
import { onEachDatabase } from '../support/on-each-database.ts';
import { newUser } from '../support/seed.ts';

/*
 * Tries are counted for the account that a typed name finds, not for the name itself. So another
 * spelling gives no further tries.
 */

let senders = 0;
/** A request from an address that has sent none before. */
function fromElsewhere(): HttpRequest {
  senders += 1;
  const header = () => undefined;
  return {
    id: 'r',
    method: 'POST',
    path: '/login/submit',
    query: '',
    header,
    about: {},
    address: `198.51.100.${senders}`,
  } as unknown as HttpRequest;
}

const wide = (text: string) =>
  text.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));

/** Spellings of one name, each of which finds its account. */
const spellings: ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  wide,
  (name) => `\u3000${name} `,
  (name) => `\ufeff${name}`,
  (name) => `\u2060${name}`,
  (name) => `${name}\u2060`,
  (name) => ` \u2060 ${name}`,
  (name) => [...name].join('\u2060'),
  (name) => wide(name.toUpperCase()).replace('－', '\u2060-\u2060\u2060'),
];

const doors: [string, number, (typed: string) => Promise<unknown>][] = [
  [
    'passwords',
    10,
    (typed) => signIn(fromElsewhere(), { login: typed, password: 'wrong' }, new Date()),
  ],
  [
    'codes by mail',
    5,
    (typed) => {
      const asked = { purpose: 'sign-in', to: typed, about: 'a request' } as const;
      return askForCode(fromElsewhere(), asked, 'en', new Date());
    },
  ],
  [
    'letters for a new password',
    5,
    (typed) => limitLetters('recovery', typed, fromElsewhere(), new Date()),
  ],
];

onEachDatabase(() => {
  beforeAll(leaveQueuesToServer);

  test.each(doors)(
    'tries are counted per account, not per spelling of its name: %s',
    async (_, limit, attempt) => {
      const user = await newUser();
      for (const name of [user.username, user.email]) {
        const written = spellings.map((spell) => spell(name));
        for (const typed of written) expect((await findUserByLogin(typed))?.id).toBe(user.id);
        for (const typed of written.slice(0, limit))
          expect(await attempt(typed)).not.toHaveProperty('refusedUntil');
        for (const typed of written) expect(await attempt(typed)).toHaveProperty('refusedUntil');
      }
    },
  );
});
