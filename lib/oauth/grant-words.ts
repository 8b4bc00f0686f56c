import { type Api, consentWords, readConsentWord } from './api.ts';
import type { ScopeRow } from './scope.ts';

/** The words that a user agrees to: the scopes that are the server's, and the APIs with theirs. */
export function wordsAsked(
  scope: readonly string[],
  apis: readonly Api[],
  known: readonly Pick<ScopeRow, 'name'>[],
): string[] {
  const isKnown = (asked: string) => known.some(({ name }) => name === asked);
  const ofServer = apis.length === 0 ? scope : scope.filter(isKnown);
  return [...ofServer, ...apis.flatMap((api) => consentWords(api, scope))];
}

/** A word of a grant (`lib/oauth/api.ts`) with what people read of it. */
export type GrantWord = Pick<ScopeRow, 'name' | 'description' | 'translations' | 'sensitive'> & {
  /** Labels of the fields that are told with it. */
  also: string[];
  /** The name and the identifier of the API that it is, or whose scope it is. */
  api?: string;
  identifier?: string;
  /** It is the API itself. */
  isApi?: boolean;
};

/** A field of people that apps are told with a scope, and what people read of it. */
type ToldField = { label: string; scope: string };

/** What people read of the fields that apps are told with a scope. */
export function labelsIn(fields: readonly ToldField[], scope: string): string[] {
  return fields.flatMap((field) => (field.scope === scope ? [field.label] : []));
}

/** What the words of grants may mean. */
type WordsKnown = {
  scopes: readonly ScopeRow[];
  fields: readonly ToldField[];
  apis: readonly Api[];
};

/** What people read of a word; of one that means nothing any more the word itself. */
export function wordFor(name: string, { scopes, fields, apis }: WordsKnown): GrantWord {
  const row = scopes.find((scope) => scope.name === name);
  const also = labelsIn(fields, name);
  const meant = row ? null : readConsentWord(name, apis);
  if (!meant) {
    const { description = '', translations = {}, sensitive = false } = row ?? {};
    return { name, description, translations, sensitive, also };
  }
  const { api, scope } = meant;
  return {
    name,
    also,
    sensitive: false,
    api: api.name,
    identifier: api.identifier,
    description: scope ? scope.description : (api.description ?? ''),
    translations: scope?.translations ?? {},
    isApi: scope === null,
  };
}

/** A word as admins read it, in one line. */
export function wordInShort(name: string, apis: readonly Api[]): string {
  const meant = readConsentWord(name, apis);
  if (!meant) return name;
  return meant.scope ? `${meant.api.name}: ${meant.scope.name}` : meant.api.name;
}
