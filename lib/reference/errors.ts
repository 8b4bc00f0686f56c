import { docsWords, stumbles } from '../messages/docs.ts';
import { errorDocs } from '../messages/error-docs.ts';
import { type ErrorCode, errorTable } from '../oauth/errors.ts';
import { asMarkdown, pageOf, written } from './markdown.ts';

/** Other names of the section above, for the search. */
const searchedAs = (names: string) => `<!-- search: ${names} -->`;

/** Writes docs/errors.md. */
export function errorsPage(): string {
  return pageOf(
    '# Errors',
    written,
    'For developers whose app is refused. What libraries stumble over, with the switch for it; then every error code that this server sends, what it means and how to fix it. The answer of an endpoint has the code in `error`, a sentence in `error_description`, and the address of its page here in `error_uri`.',
    'That address carries the id of the request. Opened by an admin, an auditor or a developer contact of the app, the page shows the attempt: the true reason, with what was received beside what was expected. It is also under **Sign-in attempts** in the dashboard, for developer contacts under **Apps you develop** in their account, and in the log under the `X-Request-Id` of the answer. An admin names developer contacts on the app’s Access tab.',
    `## ${docsWords.stumbles}`,
    ...stumbles.flatMap(({ title, text, also }) => [
      `### ${asMarkdown(title)}`,
      searchedAs(also),
      asMarkdown(text),
    ]),
    '## Error codes',
    ...Object.entries(errorTable).flatMap(([code, { status, sentence }]) => [
      `### \`${code}\``,
      ...[errorDocs[code as ErrorCode].also ?? []].flat().map(searchedAs),
      asMarkdown(sentence),
      `**${docsWords.checks}:**`,
      errorDocs[code as ErrorCode].checks.map((check) => `- ${asMarkdown(check)}`).join('\n'),
      `HTTP status ${status} where it is not sent by a redirect. ${docsWords.clause} ${errorDocs[code as ErrorCode].clause}.`,
    ]),
  );
}
