import type { ApiNoun } from '../../management/api-key/rights.ts';
import { isText } from '../../oauth/params.ts';
import { type ApiMethod, type Operations, routes } from './routes.ts';

/** An address of the API, as found in the table of routes. */
export type Place = {
  noun: ApiNoun;
  /** The template as written in the table: `/groups/{id}`. */
  template: string;
  params: Readonly<Record<string, string>>;
  operations: Operations;
};

/** A call of the API: its address, method, and path as it was sent. */
export type Call = Place & { method: ApiMethod; path: string };

type Pattern = Omit<Place, 'params'> & { parts: readonly string[] };

const patterns: readonly Pattern[] = Object.entries(routes).flatMap(([noun, templates]) =>
  Object.entries(templates).map(([template, operations]) => ({
    noun: noun as ApiNoun,
    template,
    operations,
    parts: template.slice(1).split('/'),
  })),
);

const nameOf = (part: string) => /^\{(\w+)\}$/.exec(part)?.[1];

/**
 * Finds what is at a path below the API's. The parts must be decoded after they were split, so that
 * an escaped slash never makes another address. A literal part takes precedence over a parameter.
 */
export function findPlace(parts: readonly string[]): Place | null {
  const found = patterns
    .filter((pattern) => fits(pattern, parts))
    .toSorted((one, other) => holesOf(one) - holesOf(other))[0];
  if (!found) return null;
  const params = found.parts.flatMap((part, index) => {
    const name = nameOf(part);
    return name ? [[name, parts[index] ?? ''] as const] : [];
  });
  return { ...found, params: Object.fromEntries(params) };
}

const holesOf = ({ parts }: Pattern) => parts.filter(nameOf).length;

function fits(pattern: Pattern, parts: readonly string[]): boolean {
  if (pattern.parts.length !== parts.length) return false;
  return pattern.parts.every((part, index) => {
    const said = parts[index] ?? '';
    return nameOf(part) ? said !== '' && said.length <= longestPart && isText(said) : part === said;
  });
}

const longestPart = 500;
