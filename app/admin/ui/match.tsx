import type { Match } from '#lib/management/candidates.ts';
import { pageText } from '../../locale.ts';
import { hrefOf } from './href.ts';
import { Lookup } from './lookup.tsx';

type Props = {
  path: string;
  query: Readonly<Record<string, string>>;
  /** The parameter that held the text. */
  name: 'person' | 'client' | 'actor';
  meant: Match | null;
};

/** Asks which user or client was meant if that is ambiguous. */
export async function WhichOne({ path, query, name, meant }: Props) {
  const text = await pageText();
  const typed = query[name] ?? '';
  if (!meant || 'one' in meant) return null;
  if ('none' in meant)
    return (
      <Lookup
        question={
          name === 'client'
            ? text('approvals.noClient', { text: typed })
            : text('approvals.noPerson', { text: typed })
        }
        choices={[]}
      />
    );
  const choices = meant.several.map(({ id, label }) => ({
    label,
    href: hrefOf(path, { ...query, [name]: id, after: '' }),
  }));
  return <Lookup question={text('approvals.which', { text: typed })} choices={choices} />;
}

/** The id to filter a list by: undefined for all, null if no one matches. */
export function idOf(meant: Match | null): string | undefined | null {
  if (!meant) return undefined;
  return 'one' in meant ? meant.one.id : null;
}
