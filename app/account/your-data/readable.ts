import { html } from '#lib/http/html.ts';
import type { OwnActivity, OwnDataHead } from '#lib/management/user/own-data.ts';
import { momentIn } from '#lib/messages/format.ts';
import type { MessageKey } from '#lib/messages/keys.ts';
import { attributesOf, type Locale } from '#lib/messages/locales.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';

type Value =
  | string
  | number
  | boolean
  | null
  | readonly Value[]
  | { readonly [name: string]: Value };

const sections = [
  'profile',
  'sign_in',
  'mails',
  'sessions',
  'remembered_devices',
  'apps',
  'allowed_apps',
  'requested_apps',
  'developed_apps',
  'app_passwords',
  'api_keys',
  'terms',
] as const;

/** The user's data as a self-contained page, in pieces. */
export async function* ownDataPage(
  head: OwnDataHead,
  activity: AsyncIterable<readonly OwnActivity[]>,
  locale: Locale,
): AsyncGenerator<string> {
  const text = textIn(locale);
  const { lang, dir } = attributesOf(locale);
  const title = text('data.pageTitle', { username: head.profile.username });
  yield html`<!doctype html>
<html lang="${lang}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
<p>${text('data.pageText', { server: head.server, time: momentIn(locale, new Date(head.made_at)) })}</p>
`.toString();
  for (const section of sections)
    yield html`<h2>${text(`data.section.${section}`)}</h2>
${shown(head[section], locale)}
`.toString();
  yield html`<h2>${text('data.section.activity')}</h2>
<ol>
`.toString();
  for await (const events of activity)
    yield events.map((event) => eventLine(event, locale)).join('');
  yield '</ol>\n</body>\n</html>\n';
}

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}
h2{margin-top:2.5rem;border-bottom:1px solid}dt{font-weight:600;margin-top:.5rem}dd{margin:0}dd dl{padding-inline-start:1rem}li{margin:.25rem 0}`;

function shown(value: Value, locale: Locale): ReturnType<typeof html> {
  const text = textIn(locale);
  if (value === null || value === '') return html`–`;
  if (typeof value === 'boolean') return html`${text(value ? 'data.yes' : 'data.no')}`;
  if (Array.isArray(value))
    return value.length === 0
      ? html`–`
      : html`<ul>${value.map((each: Value) => html`<li>${shown(each, locale)}</li>`)}</ul>`;
  if (typeof value === 'object')
    return html`<dl>${Object.entries(value).map(
      ([name, each]) =>
        html`<dt>${labelOf(name, locale)}</dt><dd>${shown(each as Value, locale)}</dd>`,
    )}</dl>`;
  return html`${isMoment(value) ? momentIn(locale, new Date(value)) : String(value)}`;
}

const isMoment = (value: Value): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);

/**
 * The label of a name. Mails are named as on the page where they are chosen. Names that are not
 * ours, such as claims and fields, stay unchanged.
 */
function labelOf(name: string, locale: Locale): string {
  if ((labels as readonly string[]).includes(name))
    return textIn(locale)(`data.label.${name as (typeof labels)[number]}`);
  return sayIn(locale)(`notices.${name}`) ?? name;
}

/** The names in the structure of the file itself. */
const labels = [
  'id',
  'username',
  'email',
  'email_verified',
  'name',
  'picture',
  'claims',
  'fields',
  'groups',
  'role',
  'created_at',
  'last_sign_in_at',
  'deletion_at',
  'password',
  'authenticator_app_since',
  'recovery_codes_left',
  'passkeys',
  'synced',
  'last_used_at',
  'current',
  'browser',
  'system',
  'address',
  'signed_in_at',
  'last_seen_at',
  'client_id',
  'scopes',
  'allowed_at',
  'ends_at',
  'former_usernames',
  'given_up_at',
  'second_step_required',
  'identities',
  'provider',
  'issuer',
  'subject',
  'label',
  'linked_at',
  'directory',
  'entry_id',
  'dn',
  'since',
  'host',
  'asked_at',
  'decision',
  'owner',
  'rights',
  'networks',
  'expires_at',
  'answered_at',
  'language',
  'digest',
] as const;

function eventLine({ at, event, by, app, through, device, address }: OwnActivity, locale: Locale) {
  const text = textIn(locale);
  const said = text(`activity.event.${event}` as MessageKey & `activity.event.${string}`, {
    app: app ?? text('activity.someApp'),
    through: through ?? text('activity.someApp'),
  });
  const facts = [device, address, by === 'other' && text('activity.byOther')].filter(Boolean);
  return html`<li>${momentIn(locale, new Date(at))}: ${[said, ...facts].join(' · ')}</li>
`.toString();
}
