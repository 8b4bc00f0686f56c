/** The note at the top of a page that a command writes it. */
export const written =
  '<!-- Written by `npm run docs` from the code: change it there, and run that again. -->';

/** A table; characters that would end a cell are escaped. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lineOf = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [lineOf(head), `|${'---|'.repeat(head.length)}`, ...rows.map(lineOf)].join('\n');
}

/** Joins blocks into a page, with blank lines between them. */
export const pageOf = (...blocks: readonly string[]): string => `${blocks.join('\n\n')}\n`;

/** A plain sentence with its names, options and addresses formatted as code. */
export const asMarkdown = (text: string): string =>
  text.replace(
    /(?<![\w`])(?:https?:\/\/[^\s,;)]+|\/oauth\/\w+|--[a-z-]+|[A-Za-z]+(?:_[A-Za-z0-9]+)+|\*\.[a-z.]+)/g,
    '`$&`',
  );

/** A sentence in Markdown as plain text for a comment. */
export const plainText = (markdown: string): string =>
  markdown.replace(/`([^`]*)`/g, (_, code: string) => (/^[a-z]+ /.test(code) ? `"${code}"` : code));
