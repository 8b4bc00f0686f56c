import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { projectRoot } from '#lib/config.ts';

/** A piece of a guide: a paragraph, a list, or something to copy. */
export type Piece = { kind: 'text' | 'code'; text: string } | { kind: 'list'; items: string[] };

export type Section = { title: string; pieces: Piece[] };
export type Guide = { title: string; lead: string; sections: Section[] };

/** The issuer as the guides in docs/ have it. */
const example = 'https://id.example.org';

/** Reads the guide in docs/, with this server's address where its example stands. */
export function readGuide(name: string, issuer: string): Guide {
  const file = resolve(/* turbopackIgnore: true */ projectRoot, 'docs', `${name}.md`);
  return parseGuide(readFileSync(file, 'utf8').replaceAll(example, issuer));
}

/** What our guides use of Markdown: one title, sections, paragraphs, lists and fenced code. */
export function parseGuide(markdown: string): Guide {
  const [head = '', ...rest] = markdown.split(/^## /m);
  const [title = '', lead = '', ...more] = head.trim().split(/\n{2,}/);
  const sections = rest.map((text) => {
    const end = text.indexOf('\n');
    return { title: text.slice(0, end), pieces: piecesOf(text.slice(end)) };
  });
  const [first] = sections;
  if (first) first.pieces.unshift(...piecesOf(more.join('\n\n')));
  return { title: title.replace(/^# /, ''), lead, sections };
}

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const [, code, item, line = ''] of text.matchAll(
    /^```\w*\n(.*?)\n```$|^(- )?(\S[^\n]*)$/gms,
  )) {
    const last = pieces.at(-1);
    if (code !== undefined) pieces.push({ kind: 'code', text: code });
    else if (!item) pieces.push({ kind: 'text', text: line });
    else if (last?.kind === 'list') last.items.push(line);
    else pieces.push({ kind: 'list', items: [line] });
  }
  return pieces;
}

/** A line in runs: plain text, code, what is strong or stressed. */
export type Run = { kind: 'plain' | 'code' | 'strong' | 'stress'; text: string };

const marks = { '`': 'code', '**': 'strong', '*': 'stress' } as const;

/** The runs of a line. */
export function runsOf(line: string): Run[] {
  return line
    .split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*)/)
    .filter((part) => part !== '')
    .map((part) => {
      const [, mark = '', text = ''] = /^(`|\*{1,2})(.+)\1$/.exec(part) ?? [];
      const kind = marks[mark as keyof typeof marks];
      return kind ? { kind, text } : { kind: 'plain', text: part };
    });
}
