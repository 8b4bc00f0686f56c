import type { HttpRequest, PageRequest } from '../http/message.ts';
import { readStep } from '../identity/second-step.ts';
import { readSession } from '../identity/session.ts';
import { openLink } from '../mail/links.ts';
import { chooseLocale } from '../messages/choose-locale.ts';
import { defaultLocale, type Locale } from '../messages/locales.ts';
import { first, type Params } from '../oauth/params.ts';
import { findLanguageOf } from '../store/users.ts';
import { openLogout } from './logout-request.ts';
import { openPendingRequest } from './pending-request.ts';

/** Who is going to read, as far as it says something of their language. */
export type Reader = {
  /** `ui_locales` of the request that waits (OpenID Connect Core section 3.1.2.1). */
  uiLocales: string | undefined;
  userId: string | undefined;
  acceptLanguage: string | undefined;
};

/**
 * The language for a reader. Looks into the database, so it is called where a page or a mail is
 * written, and not where a program is answered.
 */
export async function languageFor({ uiLocales, userId, acceptLanguage }: Reader): Promise<Locale> {
  const profile = userId === undefined ? undefined : await findLanguageOf(userId);
  return chooseLocale({ uiLocales, profile, acceptLanguage });
}

/** The dashboard and the pages for developers are in English. */
const english = /^\/(admin|docs)(\/|$)/;

/**
 * The language of a page of ours, by its address and the request for it: of the client's request
 * that waits there, of the person who is signed in (or has shown a password or a mailed link), of
 * the browser.
 */
export async function languageOfPage(
  page: string,
  request: PageRequest,
  now: Date,
): Promise<Locale> {
  const at = page.indexOf('?');
  const path = at < 0 ? page : page.slice(0, at);
  if (english.test(path)) return defaultLocale;
  const acceptLanguage = request.header('accept-language');
  try {
    const query = new URLSearchParams(at < 0 ? '' : page.slice(at + 1));
    const link = await linkOf(query.get('token'), now);
    const flow = await openPendingRequest(query.get('flow') ?? link?.flow ?? undefined);
    const params = flow?.params ?? (await openLogout(query.get('request') ?? undefined));
    const uiLocales = params ? first(params, 'ui_locales') : query.get('ui_locales');
    const { session } = await readSession(request, now);
    const userId =
      session?.user.id ??
      (await readStep(request, flow?.id, now))?.user.id ??
      link?.userId ??
      undefined;
    return await languageFor({ uiLocales: uiLocales ?? undefined, userId, acceptLanguage });
  } catch {
    // Whatever keeps the person from being known, the database above all, must not keep the page from telling so.
    return chooseLocale({ acceptLanguage });
  }
}

/** A mailed link leads back into the flow it was asked for in, and to its own person. */
async function linkOf(token: string | null, now: Date) {
  if (token === null) return null;
  return (await openLink(token, ['reset', 'register', 'invite', 'email'], now))?.link ?? null;
}

/** The language of a page that an endpoint writes itself. A form names its flow in the body; the page it stood on, in its address. */
export function languageOfRequest(request: HttpRequest, now: Date): Promise<Locale> {
  return languageOfPage(
    request.method === 'POST' ? pageOfForm(request) : `${request.path}?${request.query}`,
    request,
    now,
  );
}

function pageOfForm(request: PageRequest): string {
  const referer = request.header('referer') ?? '';
  if (!URL.canParse(referer)) return '/';
  const { pathname, search } = new URL(referer);
  return pathname + search;
}

/** The reader of an answer to an authorization request. */
export function readerOf(
  params: Params,
  visit: { session: { user: { id: string } } | null; acceptLanguage: string | undefined },
): Reader {
  return {
    uiLocales: first(params, 'ui_locales'),
    userId: visit.session?.user.id,
    acceptLanguage: visit.acceptLanguage,
  };
}
