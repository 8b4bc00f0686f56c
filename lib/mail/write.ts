import { brandNow } from '../brand.ts';
import { accentFor, type ThemeColours } from '../colours.ts';
import { config } from '../config.ts';
import { type Html, type HtmlValue, html } from '../http/html.ts';
import { attributesOf, type Locale } from '../messages/locales.ts';
import { productName } from '../messages/text.ts';
import type { Sheet } from './letter.ts';

/** Characters that reorder or hide text: foreign text must not disguise itself in our mail. */
const disguises = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;

const plain = (text: string) => text.replace(disguises, '');

/**
 * Text for a header: always one line. Anything that looks like an encoded word (RFC 2047) is broken
 * up, since mail programs would decode it unchecked.
 */
export function headerText(text: string): string {
  return plain(text).replaceAll('=?', '= ?').slice(0, 200);
}

type Words = Sheet['paragraphs'][number];

const wordJoiner = '\u2060';

/** The other full stops that separate the labels of a domain (UTS 46), where one of them is Latin. */
const otherDots = /(?<=[A-Za-z0-9])[。．｡](?=[\p{L}\p{N}])|[。．｡](?=[A-Za-z0-9])/gu;

/**
 * Foreign text must not become a link either: mail programs link whatever looks like a domain or
 * URL. An invisible character after each dot, colon and slash within a word prevents that. Our own
 * URLs and email addresses are kept.
 */
function unlinked(text: string): string {
  const { issuer } = config();
  const { host } = new URL(issuer);
  return text
    .split(/([\s\u2066-\u2069“”„"'(),;<>«»、。，：；！？（）「」『』،؛؟]+)/)
    .map((word) =>
      isOurs(word, issuer, host)
        ? word
        : word.replace(/[.:](?=[\p{L}/])|\/(?=[\p{L}\p{N}/])/gu, `$&${wordJoiner}`),
    )
    .join('')
    .replace(otherDots, `$&${wordJoiner}`);
}

function isOurs(word: string, issuer: string, host: string): boolean {
  const whole = word.replace(/[.:!?]$/, '');
  return whole === host || word.startsWith(`${issuer}/`) || /^[\w.+-]+@[\w.-]+$/.test(word);
}

/**
 * Like `plain`, without foreign links. Our own directional marks stay: they keep names and hosts
 * readable in right-to-left text.
 */
const plainIn = (locale: Locale, text: string) =>
  unlinked(
    attributesOf(locale).dir === 'ltr'
      ? plain(text)
      : text
          .split(/(\u2068[^\u2068\u2069]*\u2069)/)
          .map(isolatedPart)
          .join(''),
  );

const isolatedPart = (part: string, index: number) =>
  index % 2 === 1 ? `\u2068${plain(part)}\u2069` : plain(part);

export function subjectLineOf(sheet: Sheet): string {
  return headerText(sheet.subject);
}

/** A text of ours, or the operator's own words with the address of each link in brackets. */
function textOf(locale: Locale, part: Words): string {
  if (typeof part === 'string') return wrap(plainIn(locale, part));
  const said = part.map(({ text, href, isValue }) => {
    if (isValue) return plainIn(locale, isolated(locale, text));
    return href === undefined || href === text ? text : `${text} (${href.replace('mailto:', '')})`;
  });
  return said.join('').split('\n').map(wrap).join('\n');
}

const isolated = (locale: Locale, text: string) =>
  attributesOf(locale).dir === 'rtl' ? `\u2068${text}\u2069` : text;

/** The mail as plain text, wrapped for any program. */
export function writeText(sheet: Sheet): string {
  const { greeting, paragraphs, action, code, notes, locale } = sheet;
  const signature = sheet.signature ? textOf(locale, sheet.signature) : productName();
  const parts = [
    ...(greeting ? [textOf(locale, greeting)] : []),
    ...paragraphs.map((part) => textOf(locale, part)),
    ...(code ? [`    ${code.digits}`] : []),
    ...(code?.orLink ? [wrap(plainIn(locale, code.orLink))] : []),
    ...(action ? [`${plain(action.label)}:\n${action.href}`] : []),
    ...notes.map((part) => wrap(plainIn(locale, part))),
    `-- \n${signature}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function wrap(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < 76)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}

/**
 * The mail as HTML. Many programs keep only `style` attributes, so the light theme is inline;
 * programs with dark mode find it in the style sheet. Nothing is loaded from elsewhere.
 */
export function writeHtml(sheet: Sheet): string {
  const { greeting, paragraphs, action, code, notes, signature, locale } = sheet;
  const product = productName();
  const { lang, dir } = attributesOf(locale);
  const { light, dark } = accents();
  return html`<!doctype html>
<html lang="${lang}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subjectLineOf(sheet)}</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #0d1211 !important; }
  .card { background: #181f1e !important; border-color: #2b3533 !important; }
  .ink { color: #edf2f0 !important; }
  .soft { color: #a6b2ae !important; }
  .brand, .address { color: ${dark.accent} !important; }
  .button { background: ${dark.accent} !important; color: ${dark.ink} !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f1efe9;">
<table role="presentation" class="page" lang="${lang}" dir="${dir}" width="100%" cellpadding="0" cellspacing="0" style="background:#f1efe9;"><tr><td align="center" style="padding:24px 12px;">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#ffffff;border:1px solid #e3e0d8;border-radius:16px;"><tr><td style="padding:28px 28px 24px;${font}">
<p class="brand" style="margin:0 0 20px;font-size:15px;font-weight:600;color:${light.accent};">${product}</p>
${greeting && paragraph(html`<bdi>${htmlOf(locale, greeting, light)}</bdi>`)}
${paragraphs.map((part) => (typeof part === 'string' ? paragraph(plainIn(locale, part)) : own(htmlOf(locale, part, light))))}
${code && digitsOf(code.digits)}
${code?.orLink && paragraph(plainIn(locale, code.orLink))}
${action && button(action, light)}
${notes.map((part) => html`<p class="soft" style="margin:12px 0 0;font-size:14px;line-height:1.5;color:#505b58;overflow-wrap:anywhere;">${linked(plainIn(locale, part), light)}</p>`)}
${signature && html`<p class="soft" dir="auto" style="margin:20px 0 0;font-size:14px;line-height:1.5;color:#505b58;overflow-wrap:anywhere;">${htmlOf(locale, signature, light)}</p>`}
</td></tr></table>
</td></tr></table>
</body>
</html>
`.toString();
}

/** A text of ours, or the operator's own words with their marks. */
function htmlOf(locale: Locale, part: Words, { accent }: Colours): HtmlValue {
  if (typeof part === 'string') return plainIn(locale, part);
  return part.map(({ text, bold, italic, href, isValue }) => {
    const lines = text.split('\n').map((line, at) => [at > 0 && html`<br>`, plain(line)]);
    const said = isValue ? html`<bdi>${plainIn(locale, text)}</bdi>` : lines;
    const strong = bold ? html`<strong>${said}</strong>` : said;
    const shown = italic ? html`<em>${strong}</em>` : strong;
    return href === undefined
      ? shown
      : html`<a class="address" href="${href}" style="color:${accent};">${shown}</a>`;
  });
}

/** What the operator says stands beside a line, and runs in its own direction, as on the pages. */
const own = (words: HtmlValue): Html =>
  html`<p class="ink" dir="auto" style="margin:0 0 16px;padding:0 12px;border-inline-start:2px solid #b9b4a7;font-size:16px;line-height:1.5;color:#18211f;overflow-wrap:anywhere;">${words}</p>`;

const paragraph = (text: HtmlValue): Html =>
  html`<p class="ink" style="margin:0 0 16px;font-size:16px;line-height:1.5;color:#18211f;overflow-wrap:anywhere;">${text}</p>`;

/** Six digits, readable from afar and selected with one click. */
const digitsOf = (digits: string): Html =>
  html`<p class="ink" style="margin:0 0 16px;font-size:32px;line-height:1.25;font-weight:600;letter-spacing:6px;color:#18211f;"><bdi dir="ltr">${digits}</bdi></p>`;

const font = "font-family:Figtree,'Segoe UI',-apple-system,Roboto,'Noto Sans',Arial,sans-serif;";

/** The accent colour, adjusted for contrast in mails. */
function accents(): Record<'light' | 'dark', Pick<ThemeColours, 'accent' | 'ink'>> {
  const { accent } = brandNow();
  if (accent) return { light: accentFor('light', accent), dark: accentFor('dark', accent) };
  return {
    light: { accent: '#0b6354', ink: '#ffffff' },
    dark: { accent: '#5ccbb0', ink: '#05211b' },
  };
}

type Colours = Pick<ThemeColours, 'accent' | 'ink'>;

/**
 * The button is a table cell with a background, since some programs ignore padding on links. The
 * URL is printed below, to inspect it or copy it.
 */
function button({ href, label }: NonNullable<Sheet['action']>, { accent, ink }: Colours): Html {
  return html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 16px;"><tr><td class="button" bgcolor="${accent}" style="border-radius:12px;background:${accent};"><a class="button" href="${href}" style="display:inline-block;padding:12px 22px;border-radius:12px;background:${accent};color:${ink};font-size:16px;font-weight:600;text-decoration:none;">${plain(label)}</a></td></tr></table>
<p class="soft" style="margin:0 0 16px;font-size:13px;line-height:1.5;color:#505b58;overflow-wrap:anywhere;word-break:break-all;">${address(href, accent)}</p>`;
}

function address(href: string, accent: string): Html {
  return html`<a class="address" dir="ltr" href="${href}" style="color:${accent};">${href}</a>`;
}

/** A sentence in which URLs of this server are links and all others stay text. */
function linked(text: string, { accent }: Colours): (Html | string)[] {
  const own = `${config().issuer}/`;
  return text
    .split(/(https?:\/\/[^\s\u2069、。，：；！？（）「」]+)/)
    .map((part) => (part.startsWith(own) ? address(part, accent) : part));
}
