import type { PageRequest } from '#lib/http/message.ts';
import { passwordLengths } from '#lib/identity/passwords.ts';
import { confirmFields, formField } from '#lib/interaction/confirm-fields.ts';
import type { Flash } from '#lib/interaction/flash.ts';
import { isEnough } from '#lib/interaction/fresh-form.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { signInAt } from '#lib/interaction/return-to.ts';
import {
  type Wanted,
  type WaysToConfirm,
  waysToConfirm,
} from '#lib/interaction/ways-to-confirm.ts';
import { minutesIn } from '#lib/messages/format.ts';
import type { MessageKey } from '#lib/messages/keys.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { sayIn } from '#lib/messages/text.ts';
import type { Session } from '#lib/store/sessions.ts';
import { type ConfirmWords, confirmWords } from './ui/confirm-words.ts';
import { waitIn } from './wait.ts';

/** How a form asks its user to confirm the sign-in, without leaving the form. */
export type Asking = WaysToConfirm & {
  csrf: string;
  username: string;
  /** Where to sign in again, for users who can use neither a password nor a passkey here. */
  signInHref: string;
  words: ConfirmWords;
  fault?: string;
};

/** The same, for a page with several forms. */
export type PageAsking = Asking & {
  form?: string;
  typed: Readonly<Record<string, string>>;
};

type Fault = { key: string; wait?: number };

/** Who is asked, in which language, and on which page: signing in again leads back to that page. */
type Asked = {
  request: PageRequest & { page: string };
  user: { id: string; username: string };
  locale: Locale;
};

export async function askingOf(
  { request, user, locale }: Asked,
  fault: Fault | null,
  wanted: Wanted = 'fresh',
): Promise<Asking> {
  const nothingHere = { password: false, code: false, passkey: false };
  const elsewhere: MessageKey = 'confirm.elsewhere';
  const wait = minutesIn(locale, fault?.wait ?? 0);
  const said = fault && sayIn(locale)(fault.key, { wait });
  return {
    ...(fault?.key === elsewhere ? nothingHere : await waysToConfirm(user.id, wanted)),
    csrf: csrfOfRequest(request),
    username: user.username,
    signInHref: signInAt(request.page),
    words: confirmWords(locale, wanted),
    ...(said && { fault: said }),
  };
}

/** An account page as its user opens it. `notice` is the message left by the previous form. */
type AccountPage = Pick<Asked, 'request' | 'locale'> & {
  session: Session;
  notice: Flash | null;
  now: Date;
};

/** How the forms of an account page ask for a confirmation; null if none is needed. */
export async function askingOn(
  { request, session, notice, locale, now }: AccountPage,
  wanted: Wanted = 'fresh',
): Promise<PageAsking | null> {
  if (await isEnough(session, wanted, now)) return null;
  const key = notice?.fieldErrors?.[confirmFields.password];
  const fault = key && notice ? { key, ...(notice.wait && { wait: notice.wait }) } : null;
  const { [formField]: form, ...typed } = notice?.values ?? {};
  return {
    ...(await askingOf({ request, user: session.user, locale }, fault, wanted)),
    ...(fault && form && { form }),
    typed,
  };
}

/**
 * A fault that no form of the page shows: it names no form, the page does not ask for what it is
 * about, or the page has no such field.
 * @param shown the fields that show their faults
 */
export function unseenFault(
  locale: Locale,
  notice: Flash | null,
  asking: PageAsking | null,
  shown: readonly string[] = [],
): string | undefined {
  if (asking?.fault && asking.form === undefined) return asking.fault;
  const [unseen] = Object.entries(notice?.fieldErrors ?? {}).filter(([field]) =>
    field === confirmFields.password ? asking === null : !shown.includes(field),
  );
  return unseen && sayIn(locale)(unseen[1], { ...passwordLengths, wait: waitIn(locale, notice) });
}
