import type { HttpRequest, PageRequest } from '../http/message.ts';
import { readStep } from '../identity/second-step.ts';
import { readSession } from '../identity/session.ts';
import { openLink } from '../mail/links.ts';
import { chooseLocale } from '../messages/choose-locale.ts';
import { defaultLocale, inDashboard, type Locale } from '../messages/locales.ts';
import { first, type Params } from '../oauth/params.ts';
import { findLanguageOf } from '../store/users.ts';
import { openLogout } from './logout-request.ts';
import { openPendingRequest } from './pending-request.ts';

export type Reader = {
  /** `ui_locales` of the pending request (OpenID Connect Core section 3.1.2.1). */
  uiLocales: string | undefined;
  userId: string | undefined;
  acceptLanguage: string | undefined;
};

/** Reads the database, so only for a page or a mail, never for a program. */
export async function languageFor({ uiLocales, userId, acceptLanguage }: Reader): Promise<Locale> {
  const profile = userId === undefined ? undefined : await findLanguageOf(userId);
  return chooseLocale({ uiLocales, profile, acceptLanguage });
}

/** The documentation is in English, like the RFCs. */
const english = /^\/docs(\/|$)/;

const dashboard = /^\/admin(\/|$)/;

/**
 * The language of one of our pages: from the pending request in its address, from its user (signed
 * in, or known by a password or a mailed link), or from the browser.
 */
export async function languageOfPage(
  page: string,
  request: PageRequest,
  now: Date,
): Promise<Locale> {
  const at = page.indexOf('?');
  const path = at < 0 ? page : page.slice(0, at);
  if (english.test(path)) return defaultLocale;
  const locale = await languageOfReader(page.slice(path.length + 1), request, now);
  return dashboard.test(path) ? inDashboard(locale) : locale;
}

async function languageOfReader(search: string, request: PageRequest, now: Date): Promise<Locale> {
  const acceptLanguage = request.header('accept-language');
  try {
    const query = new URLSearchParams(search);
    const link = await linkOf(query.get('token'), now);
    const flow = await openPendingRequest(query.get('flow') ?? link?.flow ?? undefined);
    const params = flow?.params ?? (await openLogout(query.get('request') ?? undefined));
    const uiLocales =
      (params ? first(params, 'ui_locales') : query.get('ui_locales')) ?? link?.invitee.locale;
    const { session } = await readSession(request, now);
    const userId =
      session?.user.id ??
      (await readStep(request, flow?.id, now))?.user.id ??
      link?.userId ??
      undefined;
    return await languageFor({ uiLocales: uiLocales ?? undefined, userId, acceptLanguage });
  } catch {
    // A failed lookup, such as when the database is away, must not break the page that reports it.
    return chooseLocale({ acceptLanguage });
  }
}

/** What a mailed link belongs to: a pending request and a user. */
async function linkOf(token: string | null, now: Date) {
  if (token === null) return null;
  return (await openLink(token, ['reset', 'register', 'invite', 'email'], now))?.link ?? null;
}

/**
 * The language of a page that an endpoint writes itself. For a form post, the address of the
 * referring page names the pending request.
 */
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

/** The reader of a page that carries an authorization response. */
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
