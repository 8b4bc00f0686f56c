import { type Api, consentWords, readConsentWord } from './api.ts';
import type { ScopeRow } from './scope.ts';

/** The words that a user agrees to: the server's own scopes, and the APIs with theirs. */
export function wordsAsked(
  scope: readonly string[],
  apis: readonly Api[],
  known: readonly Pick<ScopeRow, 'name'>[],
): string[] {
  const isKnown = (asked: string) => known.some(({ name }) => name === asked);
  const ofServer = apis.length === 0 ? scope : scope.filter(isKnown);
  return [...ofServer, ...apis.flatMap((api) => consentWords(api, scope))];
}

/** A word of a grant (`lib/oauth/api.ts`), with the text that people see for it. */
export type GrantWord = Pick<ScopeRow, 'name' | 'description' | 'translations' | 'sensitive'> & {
  /** Labels of the custom fields that apps are told with this scope. */
  also: string[];
  /** The name and identifier of the API that the word means, or whose scope it means. */
  api?: string;
  identifier?: string;
  /** The word means the API itself. */
  isApi?: boolean;
};

type ToldField = { label: string; scope: string };

export function labelsIn(fields: readonly ToldField[], scope: string): string[] {
  return fields.flatMap((field) => (field.scope === scope ? [field.label] : []));
}

type WordsKnown = {
  scopes: readonly ScopeRow[];
  fields: readonly ToldField[];
  apis: readonly Api[];
};

/** The text that people see for a word. A word that no longer has a meaning is shown as it is. */
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

/** A word in one line, as admins see it. */
export function wordInShort(name: string, apis: readonly Api[]): string {
  const meant = readConsentWord(name, apis);
  if (!meant) return name;
  return meant.scope ? `${meant.api.name}: ${meant.scope.name}` : meant.api.name;
}
