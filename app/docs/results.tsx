import type { Found, Run } from '#lib/docs/search.ts';
import { mostHits } from '#lib/docs/search.ts';
import { docsWords as words } from '#lib/messages/docs.ts';

export function Results({ hits, isPartial }: Found) {
  return (
    <>
      <p role="status" className="text-ink-soft">
        {summaryOf(hits.length, isPartial)}
      </p>
      <ol className="mt-6 grid gap-6">
        {hits.map(({ href, page, heading, text }) => (
          <li key={href} className="min-w-0 wrap-anywhere">
            <a className="gh-link text-lg font-semibold" href={href}>
              <Marked runs={heading} />
            </a>
            <span className="block text-sm text-ink-soft">{page}</span>
            <p className="mt-1">
              <Marked runs={text} />
            </p>
          </li>
        ))}
      </ol>
      {(isPartial || hits.length === 0) && <Elsewhere />}
    </>
  );
}

/** Where to look if the documentation does not have it. */
function Elsewhere() {
  const [app, missing] = words.elsewhereLinks.map(([href, said]) => (
    <a key={href} className="gh-link" href={href}>
      {said}
    </a>
  ));
  return (
    <p className="mt-6">
      {words.elsewhere} {app}, or {missing}.
    </p>
  );
}

function summaryOf(count: number, isPartial: boolean): string {
  if (count === 0) return words.foundNone;
  if (isPartial) return words.foundSome;
  return count < mostHits ? words.found(count) : words.foundMost(count);
}

function Marked({ runs }: { runs: readonly Run[] }) {
  return runs.map(({ text, isMarked }, index) => {
    const key = `${index} ${text}`;
    return isMarked ? (
      <mark key={key} className="doc-mark">
        {text}
      </mark>
    ) : (
      text
    );
  });
}
