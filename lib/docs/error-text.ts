import { docsWords as words } from '../messages/docs.ts';
import { errorDocs } from '../messages/error-docs.ts';
import { type ErrorCode, errorTable } from '../oauth/errors.ts';

/** The page of an error code at this path (the target of `error_uri`) in Markdown; else null. */
export function errorText(path: string): string | null {
  const [, code = ''] = /^errors\/(\w+)$/.exec(path) ?? [];
  if (!Object.hasOwn(errorTable, code)) return null;
  const { sentence, status } = errorTable[code as ErrorCode];
  const { checks, clause } = errorDocs[code as ErrorCode];
  return [
    `# ${code}`,
    sentence,
    `## ${words.checks}`,
    checks.map((check) => `- ${check}`).join('\n'),
    `HTTP status ${status} where it is not sent by a redirect. ${words.clause} ${clause}.`,
    '',
  ].join('\n\n');
}
