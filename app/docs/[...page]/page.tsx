import { notFound } from 'next/navigation';
import { config } from '#lib/config.ts';
import type { DocsPage } from '#lib/docs/build.ts';
import { escapeHtml, exampleIssuer } from '#lib/docs/escape.ts';
import { findPage } from '#lib/docs/shelf.ts';
import { docsWords as words } from '#lib/messages/docs.ts';
import { PageScript } from '../../ui/page-script.tsx';
import { DocsFrame } from '../frame.tsx';

type Props = { params: Promise<{ page: string[] }> };

/** A page of docs/. */
export default async function Page({ params }: Props) {
  const path = (await params).page.join('/');
  const page = await findPage(path);
  if (!page) notFound();
  const html = htmlOf(page);
  return (
    <DocsFrame title={page.title} current={`/docs/${path}`}>
      <InPage sections={page.sections} />
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: made from docs/ by the build, every text in it escaped */}
      <div className="doc-text" dangerouslySetInnerHTML={{ __html: html }} />
      {page.next && (
        <p className="mt-10 border-t border-line pt-5">
          {words.next}{' '}
          <a className="gh-link" href={page.next.href}>
            {page.next.title}
          </a>
        </p>
      )}
      {html.includes('data-copy') && <PageScript />}
    </DocsFrame>
  );
}

/** The page with the address of this server, where it is about it. */
function htmlOf({ html, namesServer }: DocsPage): string {
  return namesServer ? html.replaceAll(exampleIssuer, escapeHtml(config().issuer)) : html;
}

function InPage({ sections }: Pick<DocsPage, 'sections'>) {
  if (sections.length === 0) return null;
  return (
    <nav aria-label={words.inPage} className="doc-inpage">
      <h2>{words.inPage}</h2>
      <ul>
        {sections.map(({ id, heading }) => (
          <li key={id}>
            <a className="gh-link" href={`#${id}`}>
              {heading}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
