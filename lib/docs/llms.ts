import { docsWords as words } from '../messages/docs.ts';
import type { Contents } from './shelf.ts';

/**
 * The list of pages for AI tools (llmstxt.org): a title, a summary, and grouped links to Markdown.
 */
export function llmsText({ groups, titles }: Contents, issuer: string): string {
  const recipes = Object.entries(titles).filter(([path]) => path.startsWith('recipes/'));
  const linkTo = (href: string, title: string) => `- [${title}](${issuer}${href}.md)`;
  return [
    '# Gatehouse',
    `> ${words.llms}`,
    words.llmsIssuer(issuer),
    ...groups.flatMap(({ title, entries }) => [
      `## ${title}`,
      entries.map((entry) => `${linkTo(entry.href, entry.title)}: ${entry.line}`).join('\n'),
    ]),
    '## Optional',
    recipes.map(([path, title]) => linkTo(`/docs/${path}`, title)).join('\n'),
    '',
  ].join('\n\n');
}
