import { Secret, TOTP } from 'otpauth';
import { newRecoveryCodes, recoveryCodeHash } from '#lib/identity/recovery-codes.ts';
import { newTotpSecret } from '#lib/identity/totp.ts';
import { csrfOf } from '#lib/sealed/browser.ts';
import { seal } from '#lib/sealed/seal.ts';
import type { AccountBasis } from '#lib/store/account-basis.ts';
import { storeTotp } from '#lib/store/factors.ts';
import { replaceRecoveryCodes } from '#lib/store/recovery-codes.ts';
import { findUser } from '#lib/store/users.ts';
import { Authenticator, type Options } from './authenticator.ts';
import { textOf } from './html.ts';
import type { TestServer } from './open-server.ts';
import { type Page, Person } from './person.ts';
import { newUser, password, type TestUser } from './seed.ts';

/** What `readFactors` returns for a user without second factors. */
export const noFactors = { totp: false, passkeys: 0, passkeysHere: 0, recoveryCodes: 0 };

const period = 30_000;

/** The code that an authenticator app shows, `steps` periods of thirty seconds from now. */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + steps * period,
  });
}

/** A six-digit code that is not valid at any time close to now. */
export function wrongCode(secret: string): string {
  const right = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  return (
    Array.from({ length: 6 }, (_, digit) => String(digit).repeat(6)).find(
      (code) => !right.includes(code),
    ) ?? ''
  );
}

/** The secret on the page for setting up an authenticator app. */
export function secretOn(page: Page): string {
  const secret = /<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(page.html)?.[1];
  if (!secret) throw new Error(`There is no secret on ${page.at}: ${textOf(page.html)}`);
  return secret.replaceAll(' ', '');
}

/** The recovery codes on the page that shows them. */
export function codesOn(page: Page): string[] {
  return [
    ...new Set([...page.html.matchAll(/[2-9A-Z]{4}(?:-[2-9A-Z]{4}){3}/g)].map(([code]) => code)),
  ];
}

/** A sign-in of this user that is under way. */
export async function basisOf({ id }: { id: string }) {
  const user = await findUser(id);
  if (!user) throw new Error('Nobody is there.');
  return { user, identityId: null } satisfies AccountBasis;
}

export type UserWithApp = TestUser & { secret: string; codes: string[] };

/** Stores a person with an authenticator app and recovery codes. */
export async function newUserWithApp(options: { isAdmin?: boolean } = {}): Promise<UserWithApp> {
  const user = await newUser(options);
  const now = new Date();
  const secret = newTotpSecret();
  const sealedSecret = await seal('totp', secret);
  const totp = { userId: user.id, enrolment: user.id, sealedSecret, step: 0 };
  await storeTotp(totp, await basisOf(user), { type: 'factor.added' }, now);
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => recoveryCodeHash(user.id, code) ?? '');
  await replaceRecoveryCodes(user.id, hashes, { type: 'recovery-codes.made' }, now);
  return { ...user, secret, codes };
}

/** A user who has just given their password and is now at the second step. */
export async function atSecondStep(
  server: TestServer,
  user: TestUser,
): Promise<{ person: Person; page: Page }> {
  const person = new Person(server, user.username);
  return { person, page: await person.signIn() };
}

/** The fields with which a form is confirmed: the password, and a code. */
export function confirmedBy(code?: string): Record<string, string> {
  return { confirm_password: password, ...(code !== undefined && { confirm_code: code }) };
}

/** The same with a passkey, to be sent with a form of this page. */
export async function confirmedByPasskey(
  person: Person,
  page: Page,
  authenticator: Authenticator,
): Promise<Record<string, string>> {
  const { options, challenge } = await ask(person, page, 'sign-in');
  return { confirm_credential: authenticator.get(options), confirm_challenge: challenge };
}

/** The request that the script of a page makes for passkey options. */
export async function ask(
  person: Person,
  page: Page,
  use: string,
): Promise<{ options: Options; challenge: string; status: number }> {
  const body = hiddenFields(person, page, { use });
  const response = await person.request('/passkey/options', {
    method: 'POST',
    body,
    headers: { Origin: person.server.issuer },
  });
  return {
    ...((await response.json()) as { options: Options; challenge: string }),
    status: response.status,
  };
}

/** A form that only scripts build: the hidden fields of its page, plus these. */
function hiddenFields(person: Person, page: Page, more: Record<string, string>): string {
  const way = new URL(page.at, person.server.base).searchParams;
  const turn = person.cookies.get('gh_turn') ?? '';
  const csrf = `${csrfOf(person.cookies.get('gh_browser') ?? '')}.${turn}`;
  return new URLSearchParams({ ...Object.fromEntries(way), csrf, ...more }).toString();
}

/** Posts an authenticator's answer as the script does, with the hidden fields of the page. */
export function postAnswer(
  person: Person,
  page: Page,
  action: string,
  credential: string,
  challenge: string,
): Promise<Page> {
  const body = hiddenFields(person, page, { credential, challenge });
  return person.open(action, { method: 'POST', body, headers: { Origin: person.server.issuer } });
}

/** A signed-in user who has just added a passkey. */
export async function newPersonWithPasskey(
  server: TestServer,
  { synced = false, isAdmin = false } = {},
) {
  const user = await newUser({ isAdmin });
  const person = new Person(server, user.username);
  await person.signIn();
  const page = await person.open('/account/security');
  const authenticator = new Authenticator(server.issuer, { synced });
  const { options, challenge } = await ask(person, page, 'add');
  const added = await postAnswer(
    person,
    page,
    '/account/security/passkey/submit',
    authenticator.create(options),
    challenge,
  );
  return { user, person, authenticator, page: added };
}
