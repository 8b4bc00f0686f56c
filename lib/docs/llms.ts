import { docsWords as words } from '../messages/docs.ts';
import { errorTable } from '../oauth/errors.ts';
import type { Contents } from './contents.ts';
import { isBackground } from './source.ts';

/**
 * The list of pages for AI tools (llmstxt.org): a title, a summary, and grouped links to Markdown
 * and to the description of the API.
 */
export function llmsText({ groups, titles }: Contents, issuer: string): string {
  const linkTo = (href: string, title: string) => `- [${title}](${issuer}${href}.md)`;
  const pagesBelow = (folder: string) =>
    Object.entries(titles)
      .filter(([path]) => path.startsWith(`${folder}/`))
      .map(([path, title]) => linkTo(`/docs/${path}`, title))
      .join('\n');
  return [
    '# Gatehouse',
    `> ${words.llms}`,
    words.llmsIssuer(issuer),
    `${words.llmsWhole}: ${issuer}/llms-full.txt`,
    ...groups.flatMap(({ title, entries }) => [
      `## ${title}`,
      entries.map((entry) => `${linkTo(entry.href, entry.title)}: ${entry.line}`).join('\n'),
    ]),
    `## ${words.llmsApi}`,
    `- [OpenAPI 3.1](${issuer}/api/v1/openapi.json): ${words.llmsOpenapi}\n${pagesBelow('api')}`,
    `## ${words.errors}`,
    Object.keys(errorTable)
      .map((code) => linkTo(`/docs/errors/${code}`, code))
      .join('\n'),
    '## Optional',
    pagesBelow('recipes'),
    '',
  ].join('\n\n');
}

/** Every page that says how something is done, one after the other, as Markdown. */
export function llmsFullText(pages: readonly { path: string; markdown: string }[]): string {
  const told = pages.filter(({ path }) => !isBackground(path));
  return told.map(({ path, markdown }) => `<!-- /docs/${path} -->\n\n${markdown}`).join('\n\n');
}
