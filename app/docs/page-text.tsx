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

/** More sections than this would be the whole first screen. */
const mostSections = 12;

function InPage({ sections }: Pick<DocsPage, 'sections'>) {
  if (sections.length === 0) return null;
  const isLong = sections.length > mostSections;
  const list = (
    <ul>
      {sections.map(({ id, heading }) => (
        <li key={id}>
          <a className="gh-link" href={`#${id}`}>
            {isLong ? shortOf(heading) : heading}
          </a>
        </li>
      ))}
    </ul>
  );
  return (
    <nav aria-label={words.inPage} className="doc-inpage">
      {isLong ? (
        <details>
          <summary>
            {words.inPage} ({sections.length})
          </summary>
          {list}
        </details>
      ) : (
        <>
          <h2>{words.inPage}</h2>
          {list}
        </>
      )}
    </nav>
  );
}

/** A heading up to its first pause: "List groups" of "List groups, by name". */
const shortOf = (heading: string) => heading.split(/[,:;] /)[0] ?? heading;
