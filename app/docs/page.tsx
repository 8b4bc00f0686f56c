import { longestQuery, search } from '#lib/docs/search.ts';
import { readContents, readIndex } from '#lib/docs/shelf.ts';
import { docsWords as words } from '#lib/messages/docs.ts';
import { queryValue } from '../params.ts';
import { DocsFrame } from './frame.tsx';
import { HomeView } from './home.tsx';
import { Results } from './results.tsx';

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function DocsHome({ searchParams }: Props) {
  const query = queryValue((await searchParams).q)
    ?.trim()
    .slice(0, longestQuery);
  if (!query) {
    const { groups } = await readContents();
    return (
      <DocsFrame title={words.title} text={words.lead}>
        <HomeView groups={groups} />
      </DocsFrame>
    );
  }
  return (
    <DocsFrame title={words.searchTitle(query)} query={query} current="">
      <Results {...search(await readIndex(), query)} />
    </DocsFrame>
  );
}
