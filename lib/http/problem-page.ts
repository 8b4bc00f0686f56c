import type { Locale } from '../messages/locales.ts';
import { type MessageKey, messageIn } from '../messages/text.ts';
import { descriptionOf, errorTable, OAuthRefusal, type PageProblem, type PageRefusal } from '../oauth/errors.ts';
import { errorUri, html } from './answers.ts';
import type { HttpResponse } from './message.ts';
import { makeNonce, pageHeaders } from './page-headers.ts';
import { errorPage } from './pages.ts';

type Words = { status: number; title: MessageKey; text: MessageKey };

const request: Words = { status: 400, title: 'error.authorizeTitle', text: 'error.authorizeText' };

/** What a person reads, by problem. Those of the app's request also show the reason, for its developer. */
const words: Record<PageProblem, Words> = {
  malformed_request: request,
  client_id_missing: request,
  client_id_repeated: request,
  client_unknown: request,
  client_disabled: request,
  redirect_uri_missing: request,
  redirect_uri_repeated: request,
  redirect_uri_unregistered: request,
  redirect_uri_forbidden: request,
  request_refused: request,
  flow_foreign: { status: 400, title: 'wrongBrowser.title', text: 'wrongBrowser.text' },
  flow_invalid: { status: 400, title: 'flowInvalid.title', text: 'flowInvalid.text' },
  flow_used: { status: 400, title: 'flowUsed.title', text: 'flowUsed.text' },
  logout_refused: { status: 400, title: 'signOut.refusedTitle', text: 'signOut.refusedText' },
  cross_site: { status: 403, title: 'crossSite.title', text: 'crossSite.text' },
  form_stale: { status: 403, title: 'stale.title', text: 'stale.text' },
  not_found: { status: 404, title: 'notFound.title', text: 'notFound.text' },
  method_not_allowed: { status: 405, title: 'notFound.title', text: 'notFound.text' },
  server_error: { status: 500, title: 'error.unexpectedTitle', text: 'error.unexpectedText' },
  server_busy: { status: 503, title: 'busy.title', text: 'busy.text' },
};

/** The page a person sees when a request ends here instead of at an app. */
export function problemPage(error: OAuthRefusal | PageRefusal, requestId: string, locale: Locale): HttpResponse {
  const refusal = error instanceof OAuthRefusal ? error : null;
  const { status, title, text } = refusal ? wordsOf(refusal) : words[(error as PageRefusal).problem];
  const page = errorPage({
    locale,
    title: messageIn(locale, title),
    text: messageIn(locale, text),
    reason: refusal ? descriptionOf(refusal) : status === 400 ? error.reason : undefined,
    code: error.code ?? undefined,
    explainedAt: error.code ? errorUri(error.code, '') : undefined,
    requestId,
  });
  return html(refusal?.wire.status ?? status, page, { ...pageHeaders({ nonce: makeNonce() }), ...refusal?.wire.headers });
}

function wordsOf({ code }: OAuthRefusal): Words {
  if (code === 'temporarily_unavailable') return words.server_busy;
  if (code === 'server_error') return words.server_error;
  return { ...request, status: errorTable[code].status };
}
