import { docsWords, stumbles } from '../messages/docs.ts';
import { errorDocs } from '../messages/error-docs.ts';
import { type ErrorCode, errorTable } from '../oauth/errors.ts';
import { asMarkdown, pageOf, written } from './markdown.ts';

/** docs/errors.md. */
export function errorsPage(): string {
  return pageOf(
    '# Errors',
    written,
    'What libraries stumble over, with the switch for it; then every error code that this server sends, what it means and how to fix it. The answer of an endpoint has the code in `error`, a sentence in `error_description`, and the address of its page here in `error_uri`.',
    'The true reason of a refusal is under **Sign-in attempts** in the dashboard, beside what was received and what was expected, and in the log under the `X-Request-Id` of the answer.',
    `## ${docsWords.stumbles}`,
    ...stumbles.flatMap(({ title, text }) => [`### ${asMarkdown(title)}`, asMarkdown(text)]),
    '## Error codes',
    ...Object.entries(errorTable).flatMap(([code, { status, sentence }]) => [
      `### \`${code}\``,
      asMarkdown(sentence),
      `**${docsWords.advice}.** ${asMarkdown(errorDocs[code as ErrorCode].advice)}`,
      `HTTP status ${status} where it is not sent by a redirect. ${docsWords.clause} ${errorDocs[code as ErrorCode].clause}.`,
    ]),
  );
}
