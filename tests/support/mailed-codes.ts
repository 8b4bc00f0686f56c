import { expect } from 'vitest';
import type { Mail } from './mime.ts';
import { type Page, Person } from './person.ts';
import type { ServerWithMail } from './server-with-mail.ts';

/** The six digits in a mail. */
export function digitsIn({ text }: Pick<Mail, 'text'>): string {
  const digits = /^ {4}(\d{6})$/m.exec(text)?.[1];
  if (!digits) throw new Error(`There are no six digits in:\n${text}`);
  return digits;
}

/** Digits other than these. Each index gives different ones. */
export const notThese = (digits: string, index = 0): string =>
  String((Number(digits) + 1 + index) % 1_000_000).padStart(6, '0');

/** Signs in with a mailed code up to the page where the code is typed. */
export async function atCode(
  server: ServerWithMail,
  login: string,
  person = new Person(server),
): Promise<{ person: Person; page: Page }> {
  return { person, page: await askForCode(person, await person.open('/login'), login) };
}

/** Presses “Email me a code” on the sign-in page. */
export async function askForCode(person: Person, page: Page, username: string): Promise<Page> {
  expect(page.html).toContain('formAction="/login/code/send"');
  const { body, headers } = person.postOf(page, '/login/submit', { username });
  return person.open('/login/code/send', { method: 'POST', body, headers });
}

export const typeCode = (person: Person, page: Page, code: string): Promise<Page> =>
  person.submit(page, '/login/code/submit', { code });

export const codeSubject = /^Your code/;
