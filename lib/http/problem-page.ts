import { minutesIn } from '../messages/format.ts';
import type { MessageKey, PlainKey } from '../messages/keys.ts';
import type { Locale } from '../messages/locales.ts';
import { sayIn, textIn } from '../messages/text.ts';
import {
  descriptionOf,
  errorTable,
  OAuthRefusal,
  type Opened,
  type PageProblem,
  PageRefusal,
} from '../oauth/errors.ts';
import { minutesUntil } from '../store/throttles.ts';
import { errorUri, html } from './answers.ts';
import type { HttpResponse } from './message.ts';
import type { OwnAddress } from './own-address.ts';
import { makeNonce, pageHeaders } from './page-headers.ts';
import { type ErrorPage, errorPage } from './pages.ts';
import { transportHeaders } from './transport.ts';
import { whyIn } from './why.ts';

/**
 * The buttons that lead on, always to a page of this server that needs nothing from the request.
 */
const onward = {
  start: { href: '/', label: 'error.home' },
  signIn: { href: '/login', label: 'error.signIn' },
  account: { href: '/account', label: 'error.account' },
  docs: { href: '/docs', label: 'error.docs' },
} as const satisfies Record<string, { href: string; label: PlainKey }>;

type Words = {
  status: number;
  title: PlainKey;
  text: MessageKey;
  to?: keyof typeof onward;
  /** Set when nothing went wrong, so there is nothing for a developer to read. */
  calm?: true;
};

const request: Words = { status: 400, title: 'error.authorizeTitle', text: 'error.authorizeText' };
const ownForm: Words = { status: 400, title: 'error.formTitle', text: 'error.formText' };

/** Problems with an app's request also show the reason, for its developer. */
const words: Record<PageProblem, Words> = {
  malformed_request: request,
  client_id_missing: request,
  client_id_repeated: request,
  client_unknown: request,
  client_disabled: request,
  client_document_invalid: request,
  client_document_unreachable: {
    status: 400,
    title: 'appUnread.title',
    text: 'appUnread.text',
  },
  client_gone: { status: 400, title: 'clientGone.title', text: 'clientGone.text' },
  client_not_accepted: {
    status: 400,
    title: 'clientNotAccepted.title',
    text: 'clientNotAccepted.text',
  },
  request_uri_invalid: { status: 400, title: 'requestGone.title', text: 'requestGone.text' },
  redirect_uri_missing: request,
  redirect_uri_repeated: request,
  redirect_uri_unregistered: request,
  redirect_uri_forbidden: request,
  cancelled: { status: 400, title: 'cancelled.title', text: 'cancelled.text', calm: true },
  flow_foreign: { status: 400, title: 'wrongBrowser.title', text: 'wrongBrowser.text' },
  flow_invalid: { status: 400, title: 'flowInvalid.title', text: 'flowInvalid.text' },
  flow_used: { status: 400, title: 'flowUsed.title', text: 'flowUsed.text' },
  logout_refused: {
    status: 400,
    title: 'signOut.refusedTitle',
    text: 'signOut.refusedText',
    to: 'account',
  },
  logout_refused_signed_out: {
    status: 400,
    title: 'signOut.unfollowedTitle',
    text: 'signOut.unfollowedText',
  },
  cross_site: { status: 403, title: 'crossSite.title', text: 'crossSite.text', to: 'signIn' },
  wrong_address: { status: 421, title: 'wrongAddress.title', text: 'wrongAddress.text' },
  posted_elsewhere: { status: 403, title: 'wrongAddress.title', text: 'wrongAddress.posted' },
  form_stale: { status: 403, title: 'stale.title', text: 'stale.text', to: 'signIn' },
  account_switched: { status: 403, title: 'switched.title', text: 'switched.text', to: 'account' },
  form_malformed: ownForm,
  form_outdated: { status: 409, title: 'outdated.title', text: 'outdated.text' },
  not_found: { status: 404, title: 'notFound.title', text: 'notFound.text' },
  not_in_docs: { status: 404, title: 'notFound.docsTitle', text: 'notFound.docsText', to: 'docs' },
  method_not_allowed: { status: 405, title: 'notFound.title', text: 'notFound.text' },
  too_large: { status: 413, title: 'tooLarge.title', text: 'tooLarge.text' },
  server_error: { status: 500, title: 'error.unexpectedTitle', text: 'error.unexpectedText' },
  server_busy: { status: 503, title: 'busy.title', text: 'busy.text' },
  too_many_documents: {
    status: 429,
    title: 'tooManyNewApps.title',
    text: 'tooManyNewApps.ofNetwork',
  },
  too_many_new_apps: { status: 429, title: 'tooManyNewApps.title', text: 'tooManyNewApps.text' },
};

/** A request that ends here, and what the page needs to say so. */
type Ended = {
  error: OAuthRefusal | PageRefusal;
  path: string;
  requestId: string;
  locale: Locale;
  /** Whose request it was: an app's, or one of our forms'. */
  from: 'app' | 'form';
  /** Where a signed-in admin sees the reason. */
  whyAt?: OwnAddress;
  now?: Date;
};

/** The page shown when a request ends here instead of at an app. */
export function problemPage({ now = new Date(), ...ended }: Ended): HttpResponse {
  const { error, locale, from } = ended;
  const refusal = error instanceof OAuthRefusal ? error : null;
  const shown = refusal ? wordsOf(refusal, from) : words[(error as PageRefusal).problem];
  const { status, title, text, to = 'start', calm } = shown;
  const opened = refusal ? undefined : (error as PageRefusal).opened;
  const page = errorPage({
    locale,
    title: textIn(locale)(title),
    text: sayIn(locale)(text, valuesOf(error, locale, now)) ?? '',
    ...(calm ? { calm } : reasonsOf({ ...ended, now }, status)),
    ...(opened && { setting: settingOf(opened, locale) }),
    action: actionOf(opened, to, locale),
  });
  return html(refusal?.wire.status ?? status, page, {
    ...pageHeaders({ path: ended.path, nonce: makeNonce() }),
    ...transportHeaders(),
    ...refusal?.wire.headers,
    ...retryAfter(error, now),
  });
}

/** What the page says below its text, for readers who look for the reason. */
function reasonsOf(
  { error, requestId, locale, whyAt, now }: Ended & { now: Date },
  status: number,
) {
  const why = {
    why: whyIn(locale, error),
    code: error.code ?? undefined,
    requestId,
    at: now,
    whyAt,
  };
  const explainedAt = explanationOf(error, requestId);
  if (error instanceof OAuthRefusal) return { ...why, explainedAt, reason: descriptionOf(error) };
  const reason = status === 400 ? error.reason : undefined;
  return { ...why, explainedAt, reason, ...askedOf(error) };
}

function actionOf(opened: PageRefusal['opened'], to: keyof typeof onward, locale: Locale) {
  const text = textIn(locale);
  if (!opened) return { href: onward[to].href, label: text(onward[to].label) };
  const { issuer, target } = opened;
  return { href: `${issuer}${target}`, label: text('wrongAddress.open', { issuer }) };
}

function valuesOf(
  error: OAuthRefusal | PageRefusal,
  locale: Locale,
  now: Date,
): Record<string, string> {
  if (error instanceof OAuthRefusal) return {};
  const { opened, refusedUntil } = error;
  return {
    ...(opened && { at: opened.at, issuer: opened.issuer }),
    ...(refusedUntil && { wait: minutesIn(locale, minutesUntil(refusedUntil, now)) }),
  };
}

/** Retry-After: RFC 6585 section 4. */
function retryAfter(error: OAuthRefusal | PageRefusal, now: Date): Record<string, string> {
  const until = error instanceof PageRefusal ? error.refusedUntil : undefined;
  if (!until) return {};
  return {
    'retry-after': String(Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))),
  };
}

/** Shown to the operator. Made only from the address that was asked for. */
function settingOf({ at, tellsSetting }: Opened, locale: Locale): ErrorPage['setting'] {
  if (!tellsSetting) return undefined;
  const say = textIn(locale);
  return {
    advice: say('wrongAddress.set', { at }),
    line: `ISSUER=${at}`,
    more: say('wrongAddress.doctor'),
  };
}

function explanationOf(error: OAuthRefusal | PageRefusal, requestId: string): string | undefined {
  if (error.code) return errorUri(error.code, '', requestId);
  const { problem } = error as PageRefusal;
  return words[problem] === request ? '/docs#redirect-uris' : undefined;
}

function askedOf({ asked }: PageRefusal): { app?: string; sentAddress?: string } {
  if (!asked) return {};
  const { client, redirectUri } = asked;
  return { app: client.name, ...(redirectUri !== undefined && { sentAddress: redirectUri }) };
}

function wordsOf({ code }: OAuthRefusal, from: 'app' | 'form'): Words {
  if (code === 'temporarily_unavailable') return words.server_busy;
  if (code === 'server_error') return words.server_error;
  return { ...(from === 'app' ? request : ownForm), status: errorTable[code].status };
}
