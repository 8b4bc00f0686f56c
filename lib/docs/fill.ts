import { escapeHtml, exampleIssuer } from './escape.ts';

/** An app whose values replace the examples in samples. A secret is never among them. */
type SampleApp = {
  id: string;
  redirectUris: readonly string[];
  postLogoutRedirectUris: readonly string[];
};

/** Placeholders in samples for the reader's app. */
export const sampleClientId = 'YOUR-CLIENT-ID';
const sampleRedirectUri = 'https://app.example.org/callback';
const sampleHome = 'https://app.example.org/';

/**
 * Characters with no special meaning within quotes, in a shell or in any language of the samples.
 */
const plain = /^[\w.~:/?&=%@+,[\]-]+$/;

/** Whether all values of an app are safe to put into samples, which people paste. */
export const canFill = ({ id, redirectUris, postLogoutRedirectUris }: SampleApp): boolean =>
  [id, ...redirectUris.slice(0, 1), ...postLogoutRedirectUris.slice(0, 1)].every((value) =>
    plain.test(value),
  );

/**
 * Fills a page, in Markdown or HTML, with the address of this server and, if an app is given, with
 * its values.
 */
export function fillPage(text: string, issuer: string, app: SampleApp | null = null): string {
  const lines = issuer.startsWith('https:') ? text.replace(onlyWithHttp, '') : text;
  const filled = app && canFill(app) ? fillApp(lines, app) : lines;
  return filled.replaceAll(exampleIssuer, escapeHtml(issuer));
}

/** A line of a sample that is only needed while the server has no https. */
const onlyWithHttp = /^.*\/\/ while the issuer is http$\n/gm;

function fillApp(text: string, { id, redirectUris, postLogoutRedirectUris }: SampleApp): string {
  const [redirectUri = sampleRedirectUri] = redirectUris;
  const [home = sampleHome] = postLogoutRedirectUris;
  return text
    .replaceAll(sampleClientId, escapeHtml(id))
    .replaceAll(sampleRedirectUri, escapeHtml(redirectUri))
    .replaceAll(new RegExp(`${sampleHome}(?=[&"'\`<)\\s])`, 'g'), escapeHtml(home));
}

/** Whether a page contains values of an app to fill in. */
export const namesApp = (html: string): boolean => html.includes(sampleClientId);
