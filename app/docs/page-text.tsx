import type { DocsPage } from '#lib/docs/build.ts';
import { docsWords as words } from '#lib/messages/docs.ts';
import { PageScript } from '../ui/page-script.tsx';

/** The content below the title: links to the sections, and the text. */
export function PageText({ html, sections }: Pick<DocsPage, 'html' | 'sections'>) {
  return (
    <>
      <InPage sections={sections} />
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: made from docs/ and recipes, every text in it escaped */}
      <div className="doc-text" dangerouslySetInnerHTML={{ __html: html }} />
      {/data-(copy|tab)/.test(html) && <PageScript />}
    </>
  );
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
