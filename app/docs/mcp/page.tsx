import { config } from '#lib/config.ts';
import { docsWords as words } from '#lib/messages/docs.ts';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Shell } from '../../ui/shell.tsx';
import { CopyAddress } from '../copy-address.tsx';
import { type Piece, readGuide, runsOf } from './guide.ts';

/** How an MCP server is protected: docs/mcp.md, with this server's address. */
export default function McpPage() {
  const { title, lead, sections } = readGuide('mcp', config().issuer);
  return (
    <Shell title={title} locale="en">
      <PageHeader title={title} text={lead} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {sections.map((section) => (
          <Card key={section.title} title={section.title}>
            <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
              {section.pieces.map((piece) => (
                <PieceView key={keyOf(piece)} piece={piece} />
              ))}
            </div>
          </Card>
        ))}
        <p>
          <a className="gh-link" href="/docs">
            {words.all}
          </a>
        </p>
      </div>
    </Shell>
  );
}

const keyOf = (piece: Piece) => (piece.kind === 'list' ? piece.items.join() : piece.text);

function PieceView({ piece }: { piece: Piece }) {
  if (piece.kind === 'list')
    return (
      <ul className="grid list-disc gap-2 ps-5">
        {piece.items.map((item) => (
          <li key={item} className="wrap-anywhere">
            <Line text={item} />
          </li>
        ))}
      </ul>
    );
  if (piece.kind === 'code') return <Code text={piece.text} />;
  return (
    <p className="wrap-anywhere">
      <Line text={piece.text} />
    </p>
  );
}

function Line({ text }: { text: string }) {
  return runsOf(text).map(({ kind, text: part }, index) => {
    const key = `${index} ${part}`;
    if (kind === 'code')
      return (
        <code key={key} className="text-[0.925em]">
          {part}
        </code>
      );
    if (kind === 'strong') return <strong key={key}>{part}</strong>;
    return kind === 'stress' ? <em key={key}>{part}</em> : part;
  });
}

function Code({ text }: { text: string }) {
  const [first = ''] = text.split('\n');
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <pre className="rounded-xl border border-line bg-sunken px-4 py-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
        {text}
      </pre>
      <div className="justify-self-end">
        <CopyAddress text={text} what={words.copy(first.slice(0, 60))} />
      </div>
    </div>
  );
}
