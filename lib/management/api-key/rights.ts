import { type Sentence, sentence } from '../../messages/sentence.ts';

/*
 * What a program may do by the HTTP API: the rights of keys, and the scopes of access tokens for it.
 */

/** What stands behind the issuer: the address of the API, and the audience of access tokens for it. */
export const apiPath = '/api/v1';

/** Everything that the API is about. A noun of this list has its routes in `endpoints/api/routes.ts`. */
export const apiNouns = [
  'api',
  'api-key',
  'approval',
  'attempt',
  'audit-event',
  'batch',
  'branding',
  'client',
  'directory',
  'field',
  'grant',
  'group',
  'host',
  'identity',
  'invitation',
  'key',
  'provider',
  'registration-token',
  'scope',
  'secret',
  'session',
  'setting',
  'user',
] as const;
export type ApiNoun = (typeof apiNouns)[number];

/**
 * How much of a noun, each with what stands before it. `loosen`: what a person needs a fresh sign-in
 * for, such as deleting, or letting more people in.
 */
export const levels = ['read', 'write', 'loosen'] as const;
export type Level = (typeof levels)[number];

type Right = `${ApiNoun}:${Level}`;

/** All rights there are. */
export const apiRights: readonly Right[] = apiNouns.flatMap((noun) =>
  levels.map((level): Right => `${noun}:${level}`),
);

const isRight = (text: string): text is Right => apiRights.some((right) => right === text);

/** Whether somebody with these rights may do what needs this one. */
export function holdsRight(rights: readonly string[], noun: ApiNoun, level: Level): boolean {
  const enough = levels.slice(levels.indexOf(level));
  return enough.some((more) => rights.includes(`${noun}:${more}`));
}

/** Each noun once, with the most that was said of it, in the order of the list. */
export function plainRights(rights: readonly string[]): Right[] {
  return apiNouns.flatMap((noun) => {
    const most = levels.findLast((level) => rights.includes(`${noun}:${level}`));
    return most ? [`${noun}:${most}` as const] : [];
  });
}

/** What is wrong with rights that somebody asked for. */
export function rightsFault(rights: readonly string[]): Sentence | null {
  const examples = sentence('refused.right.examples');
  const unknown = rights.find((right) => !isRight(right));
  if (unknown !== undefined)
    return sentence('refused.right.unknown', {
      right: unknown.slice(0, 60),
      examples,
      nouns: apiNouns.join(', '),
      levels: levels.join(', '),
    });
  return rights.length === 0 ? sentence('refused.right.none', { examples }) : null;
}
