import { type Brand, brandColoursHref, brandNow, brandPictureHref, iconOf } from '#lib/brand.ts';
import { footerIn } from '#lib/messages/footer.ts';
import { attributesOf, type Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { type Html, html } from './html.ts';
import { markPath } from './mark.ts';
import type { OwnAddress } from './own-address.ts';

/** The content of an error page. Title and text are in the reader's language. */
export type ErrorPage = {
  title: string;
  text: string;
  /** Why the request was refused, in the reader's language. */
  why?: string | undefined;
  /** The reason that the client's developer may see, in English as the client receives it. */
  reason?: string | undefined;
  /** The OAuth error code, if any. */
  code?: string;
  /** The requesting app and the address it sent: untrusted text, never a link. */
  app?: string;
  sentAddress?: string;
  requestId?: string;
  /** When it happened, for the text to copy. */
  at?: Date;
  /** Our page that explains the error. */
  explainedAt?: string;
  /** The dashboard page that shows the reason, for a signed-in admin. */
  whyAt?: OwnAddress | undefined;
  action?: { href: string; label: string };
  /** A line of the configuration that may be wrong, with advice on when to change it. */
  setting?: { advice: string; line: string; more: string } | undefined;
  /** Set when nothing went wrong. */
  calm?: true;
  locale: Locale;
};

/** An error page that an endpoint sends itself, because a Next.js page always has status 200. */
export function errorPage(page: ErrorPage): string {
  const text = textIn(page.locale);
  return documentOf({
    locale: page.locale,
    title: page.title,
    main: html`<div class="gh-symbol${page.calm ? '' : ' gh-symbol-danger'}" aria-hidden="true">${page.calm ? checkIcon : alertIcon}</div>
<h1 class="gh-title">${page.title}</h1>
<p class="gh-text">${page.text}</p>
${details(page)}
${page.whyAt && html`<a class="gh-button gh-button-primary gh-wide gh-apart" href="${page.whyAt}">${text('error.why')}</a>`}
${page.action && html`<a class="gh-button ${page.whyAt ? 'gh-button-secondary gh-below' : 'gh-button-primary gh-apart'} gh-wide" href="${page.action.href}">${page.action.label}</a>`}
${page.setting && html`<div class="gh-facts"><dl><div><dt>${page.setting.advice}</dt><dd><code dir="ltr">${page.setting.line}</code></dd></div></dl><p>${page.setting.more}</p></div>`}
${!page.whyAt && forAdministrator(page)}
${page.explainedAt && html`<p class="gh-small"><a class="gh-link" href="${page.explainedAt}">${text('error.explain')}</a></p>`}`,
  });
}

function details(page: ErrorPage): Html | false {
  const text = textIn(page.locale);
  const rows: [string, string | undefined][] = [
    [text('error.detail'), page.reason],
    [text('error.code'), page.code],
    [text('error.app'), shown(page.app)],
    [text('error.sentAddress'), shown(page.sentAddress)],
    [text('error.request'), page.requestId],
  ];
  const given = rows.filter((row): row is [string, string] => Boolean(row[1]));
  if (given.length === 0) return false;
  return html`<div class="gh-facts" role="group" aria-label="${text('error.forDeveloper')}"><dl>
${page.why && html`<div><dt>${text('error.reason')}</dt><dd>${page.why}</dd></div>\n`}${given.map(([name, value]) => html`<div><dt>${name}</dt><dd><bdi lang="en" dir="ltr">${value}</bdi></dd></div>`)}
</dl></div>`;
}

/** What to send to the administrator, as one text that can be selected as a whole. */
function forAdministrator(page: ErrorPage): Html | false {
  const { requestId, at, locale } = page;
  if (!requestId || !at) return false;
  const text = textIn(locale);
  const rows: [string, string | undefined][] = [
    [text('error.reason'), page.why],
    [text('error.detail'), page.reason],
    [text('error.app'), shown(page.app)],
    [text('error.request'), requestId],
    [text('error.time'), at.toISOString()],
  ];
  const given = rows.filter((row): row is [string, string] => Boolean(row[1]));
  const lines = [page.title, ...given.map(([name, value]) => `${name}: ${value}`)];
  return html`<details class="gh-copy"><summary>${text('error.copyForAdmin')}</summary><pre dir="auto">${lines.join('\n')}</pre></details>`;
}

/** Untrusted text: cut, with control and bidirectional characters made visible. */
function shown(words: string | undefined): string | undefined {
  if (words === undefined) return undefined;
  const cut = words.length > 300 ? `${words.slice(0, 300)}…` : words;
  return cut.replace(/\p{C}/gu, '\ufffd');
}

/** The content of the `form_post` page: fields that the browser posts to the client immediately. */
type FormPostPage = {
  action: string;
  /** The destination, in words people recognise. */
  host: string;
  fields: Readonly<Record<string, string>>;
  nonce: string;
  locale: Locale;
};

/** The `form_post` response. It submits itself; without scripts people press the button. */
export function formPostPage(page: FormPostPage): string {
  const text = textIn(page.locale);
  return documentOf({
    locale: page.locale,
    title: text('formPost.title'),
    main: html`<h1 class="gh-title">${text('formPost.title')}</h1>
<p class="gh-text">${text('formPost.text', { host: page.host })}</p>
<form method="post" action="${page.action}" id="form-post">
${Object.entries(page.fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button class="gh-button gh-button-primary gh-wide gh-apart">${text('formPost.submit')}</button>
</form>
<script src="/form-post.js" nonce="${page.nonce}"></script>`,
  });
}

/** The content of the page for a sign-in that the server was too busy for. */
type BusySignInPage = {
  username: string;
  /** Hidden fields, which are sent again unchanged. */
  hidden: Readonly<Record<string, string>>;
  locale: Locale;
};

/** The sign-in form again, with everything typed except the password. */
export function busySignInPage({ username, hidden, locale }: BusySignInPage): string {
  const text = textIn(locale);
  return documentOf({
    locale,
    title: text('busy.title'),
    main: html`<h1 class="gh-title">${text('busy.title')}</h1>
<p class="gh-text" role="alert">${text('signIn.busy')}</p>
<form method="post" action="/login/submit">
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label class="gh-label" for="username">${text('signIn.username')}</label>
<input id="username" name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" required>
<label class="gh-label" for="password">${text('signIn.password')}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button class="gh-button gh-button-primary gh-wide gh-apart">${text('signIn.submit')}</button>
</form>`,
  });
}

function documentOf(page: { locale: Locale; title: string; main: Html }): string {
  const text = textIn(page.locale);
  const product = text('product.name');
  const { lang, dir } = attributesOf(page.locale);
  const brand = brandNow();
  const colours = brandColoursHref(brand);
  const icon = iconOf(brand);
  return html`<!doctype html>
<html lang="${lang}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${text('page.title', { page: page.title, product })}</title>
<link rel="icon" href="${icon.url}" type="${icon.type}">
<link rel="stylesheet" href="/gatehouse.css">
${colours && html`<link rel="stylesheet" href="${colours}">\n`}</head>
<body>
<div class="gh-gate">
<header class="gh-gate-head"><a class="gh-brand" href="/">${markOf(brand)}<span>${product}</span></a></header>
<main class="gh-card">
${page.main}
</main>
${footer(page.locale)}
</div>
</body>
</html>
`.toString();
}

function markOf(brand: Brand): Html {
  const [logo, dark] = [brandPictureHref(brand.logo), brandPictureHref(brand.darkLogo)];
  if (!logo) return mark;
  const picture = html`<img class="gh-mark gh-mark-own" src="${logo}" alt="">`;
  return dark
    ? html`<picture><source srcset="${dark}" media="(prefers-color-scheme: dark)">${picture}</picture>`
    : picture;
}

function footer(locale: Locale): Html | false {
  const links = footerIn(locale);
  return (
    links.length > 0 &&
    html`<footer class="gh-foot">${links.map(({ label, href }) => html`<a class="gh-link" href="${href}">${label}</a>\n`)}</footer>`
  );
}

const mark = html`<svg class="gh-mark" viewBox="0 0 32 32" aria-hidden="true"><path fill="currentColor" d="${markPath}"/></svg>`;
const checkIcon = html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"><path d="m5 12.5 4.5 4.5L19 7.5"/></svg>`;
const alertIcon = html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"><path d="M12 8v5M12 16.5v.01"/><circle cx="12" cy="12" r="9"/></svg>`;
