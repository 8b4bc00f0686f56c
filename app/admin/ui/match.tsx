import { type Match, matchClient, matchUser } from '#lib/management/candidates.ts';
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
    href: hrefOf(path, { ...query, [name]: id, page: '' }),
  }));
  return <Lookup question={text('approvals.which', { text: typed })} choices={choices} />;
}

/** The person and client that the filters of a list name. */
export type Meant = Readonly<Record<'person' | 'client', Match | null>>;

/** Finds the person and client in the filters, if the address names any. */
export async function meantIn(query: Readonly<Record<string, string>>): Promise<Meant> {
  const [person, client] = [query.person?.trim(), query.client?.trim()];
  return {
    person: person ? await matchUser(person) : null,
    client: client ? await matchClient(client) : null,
  };
}

/** The ID to filter a list by: undefined for all, null if nothing matches. */
export function idOf(meant: Match | null): string | undefined | null {
  if (!meant) return undefined;
  return 'one' in meant ? meant.one.id : null;
}

/**
 * The text in a filter by name, and what to show for it: an ID from a link is shown as the name.
 */
export function namedIn<Name extends string>(
  query: Readonly<Record<string, string>>,
  name: Name,
  meant: Readonly<Record<Name, Match | null>>,
): { value: string; shown?: string } {
  const value = query[name] ?? '';
  const match = meant[name];
  return match && 'one' in match && match.one.id === value
    ? { value, shown: match.one.label }
    : { value };
}
