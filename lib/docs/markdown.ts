import { Marked, type RendererObject, type Token, type Tokens } from 'marked';
import { codeBlock, inTabs, isTabs, tabsOf } from './code.ts';
import { escapeHtml } from './escape.ts';
import { placeOf, type Source } from './source.ts';

/**
 * A heading with the text below it, without markup; `also` holds other words that people search
 * for.
 */
type Section = { id: string; depth: number; heading: string; text: string; also: string };

export type Rendered = { title: string; html: string; sections: Section[]; links: string[] };

/** The tokens of a Markdown text. */
export const partsOf = (markdown: string): Token[] => new Marked({ gfm: true }).lexer(markdown);

/**
 * Renders a page as HTML. HTML inside the Markdown is shown as text, except comments, which are
 * left out.
 */
export function renderPage(
  { file, text }: Pick<Source, 'file' | 'text'>,
  files: ReadonlySet<string>,
): Rendered {
  const tokens = partsOf(text);
  const ids = headingIds(tokens);
  const links: string[] = [];
  const leadTo = (href: string) => {
    links.push(href);
    return placeOf(href, file, files);
  };
  const marked = new Marked({
    gfm: true,
    renderer: rendererWith(ids, leadTo),
    extensions: [{ name: 'tabs', renderer: (token) => (isTabs(token) ? tabsOf(token) : '') }],
  });
  const title = tokens.find((token) => token.type === 'heading' && token.depth === 1);
  const body = inTabs(tokens.filter((token) => token !== title));
  return {
    title: title ? plainText(title) : file,
    html: marked.parser(body),
    sections: sectionsOf(tokens, ids),
    links,
  };
}

/** The sections that are listed at the top of a long page. */
export function mainSections(sections: readonly Section[]): { id: string; heading: string }[] {
  const main = sections.filter(({ depth }) => depth === 2);
  return main.length < 4 ? [] : main.map(({ id, heading }) => ({ id, heading }));
}

/** The anchor of each heading, in the style of code hosts. */
function headingIds(tokens: readonly Token[]): Map<Token, string> {
  const counts = new Map<string, number>();
  const ids = new Map<Token, string>();
  for (const token of tokens.filter(({ type }) => type === 'heading')) {
    const slug = slugOf(plainText(token));
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    ids.set(token, count === 0 ? slug : `${slug}-${count}`);
  }
  return ids;
}

const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/** The text of a token, without markup. */
export function plainText(token: Token): string {
  if (token.type === 'html') return '';
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map((row) => row.map(cellText).join(' ')).join('\n');
  }
  if (token.type === 'list') return (token as Tokens.List).items.map(plainText).join('\n');
  if (token.type === 'space' || token.type === 'hr') return '';
  const parts = below(token);
  if (parts.length === 0) return 'text' in token ? String(token.text) : '';
  return parts.map(plainText).join('');
}

/** The tokens inside a token. */
export const below = (token: Token): Token[] => ('tokens' in token ? (token.tokens ?? []) : []);

const cellText = ({ tokens }: Tokens.TableCell) => tokens.map(plainText).join('');

/** The name in the first cell of a row that describes a setting; such a row gets its own anchor. */
function settingOf([first]: readonly Tokens.TableCell[]): string | null {
  const [token, ...more] = first?.tokens ?? [];
  if (token?.type !== 'codespan' || more.length > 0) return null;
  return /^[A-Z]+(_[A-Z]+)*$/.test(token.text) ? token.text : null;
}

function sectionsOf(tokens: readonly Token[], ids: ReadonlyMap<Token, string>): Section[] {
  const sections: Section[] = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { depth } = token as Tokens.Heading;
      const id = depth === 1 ? '' : (ids.get(token) ?? '');
      sections.push({ id, depth, heading: plainText(token), text: '', also: '' });
      continue;
    }
    const also = searchWords(token);
    const newest = sections.at(-1);
    if (also && newest) newest.also = also;
    const rows = token.type === 'table' ? (token as Tokens.Table).rows : [];
    const settings = rows.filter((row) => settingOf(row) !== null);
    const last = sections.findLast(({ depth }) => depth < 7);
    if (settings.length === 0 && last) last.text = `${last.text}\n${plainText(token)}`.trim();
    sections.push(...settings.map(settingSection));
  }
  return sections;
}

/** Search terms for the section above: `<!-- search: log out, sign off -->`. */
function searchWords({ type, raw }: Token): string {
  const [, words = ''] = (type === 'html' && /^<!-- search: (.+) -->$/.exec(raw.trim())) || [];
  return words;
}

function settingSection(row: readonly Tokens.TableCell[]): Section {
  const name = settingOf(row) ?? '';
  const [, standard, ...more] = row.map(cellText);
  return {
    id: name,
    depth: 7,
    heading: name,
    text: `${more.join(' ')} Default: ${standard}.`,
    also: '',
  };
}

type LeadTo = (href: string) => ReturnType<typeof placeOf>;

function rendererWith(ids: ReadonlyMap<Token, string>, leadTo: LeadTo): RendererObject {
  return {
    heading(token) {
      const id = ids.get(token) ?? '';
      const name = escapeHtml(plainText(token));
      const anchor = `<a class="doc-anchor" href="#${id}" aria-label="Link to “${name}”">#</a>`;
      return `<h${token.depth} id="${id}">${this.parser.parseInline(token.tokens)}${anchor}</h${token.depth}>\n`;
    },
    code: ({ text, lang }) => codeBlock(text, lang),
    table(token) {
      const cellOf = (cell: Tokens.TableCell) => {
        // An empty corner cell is not a heading.
        const tag = cell.header && cell.text !== '' ? 'th' : 'td';
        return `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`;
      };
      const cells = (row: readonly Tokens.TableCell[]) => row.map(cellOf).join('');
      const rows = token.rows.map((row) => {
        const id = settingOf(row);
        return `<tr${id ? ` id="${id}"` : ''}>${cells(row)}</tr>`;
      });
      const name = escapeHtml(token.header.map(cellText).filter(Boolean).join(', '));
      return `<div class="doc-table" role="group" tabindex="0" aria-label="Table: ${name}"><table class="doc-columns-${token.header.length}"><thead><tr>${cells(token.header)}</tr></thead><tbody>${rows.join('')}</tbody></table></div>\n`;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const place = leadTo(href);
      if (place.kind === 'file')
        return plainText({ type: 'x', raw: '', tokens }) === place.path
          ? `<code>${escapeHtml(place.path)}</code>`
          : `${text} (<code>${escapeHtml(place.path)}</code>)`;
      return `<a class="gh-link" href="${escapeHtml(place.href)}">${text}</a>`;
    },
    image: ({ text }) => escapeHtml(text),
    html: ({ text }) => escapeHtml(text.replace(/<!--.*?-->/gs, '')).trim(),
    checkbox: () => '',
  };
}
