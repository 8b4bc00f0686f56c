import { type Sentence, sentence } from '../../messages/sentence.ts';

/*
 * What a program may do through the HTTP API: the rights of keys, and the scopes of access tokens
 * for the API.
 */

/**
 * The path of the API. With the issuer before it, it is the API's address and the audience of its
 * access tokens.
 */
export const apiPath = '/api/v1';

/** Each noun of this list has its routes in `endpoints/api/routes.ts`. */
export const apiNouns = [
  'api',
  'api-key',
  'app-password',
  'approval',
  'attempt',
  'audit-event',
  'batch',
  'branding',
  'client',
  'deletion',
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
  'terms',
  'user',
] as const;
export type ApiNoun = (typeof apiNouns)[number];

/**
 * How much may be done with a noun; each level includes those before it. `loosen`: what a person
 * needs a fresh sign-in for, such as deleting, or letting more people in.
 */
export const levels = ['read', 'write', 'loosen'] as const;
export type Level = (typeof levels)[number];

type Right = `${ApiNoun}:${Level}`;

/** Stands for every noun in the rights that a key is asked for with. */
const everyNoun = 'all';

/** Usual sets of rights, as a key is asked for with them. */
export const rightsPresets = {
  read: ['all:read'],
  people: ['user:write', 'group:write', 'invitation:write', 'session:write', 'field:read'],
  configuration: [
    'client:write',
    'secret:write',
    'api:write',
    'scope:write',
    'group:write',
    'field:write',
    'provider:write',
    'setting:write',
    'branding:write',
    'terms:write',
  ],
  all: ['all:loosen'],
} as const satisfies Record<string, readonly (Right | `all:${Level}`)[]>;
export type RightsPreset = keyof typeof rightsPresets;

export const apiRights: readonly Right[] = apiNouns.flatMap((noun) =>
  levels.map((level): Right => `${noun}:${level}`),
);

const isRight = (text: string): text is Right => apiRights.some((right) => right === text);

/** Whether these rights allow what needs this level of the noun. */
export function holdsRight(rights: readonly string[], noun: ApiNoun, level: Level): boolean {
  const enough = levels.slice(levels.indexOf(level));
  return enough.some((more) => rights.includes(`${noun}:${more}`));
}

/** Each noun once, with its highest level; `all:read` is the right to read all. */
export function plainRights(rights: readonly string[]): Right[] {
  return apiNouns.flatMap((noun) => {
    const most = levels.findLast((level) =>
      [noun, everyNoun].some((named) => rights.includes(`${named}:${level}`)),
    );
    return most ? [`${noun}:${most}` as const] : [];
  });
}

/** The usual set that these rights are, if they are one. */
export function presetOf(rights: readonly string[]): RightsPreset | undefined {
  const plain = plainRights(rights).join(' ');
  const presets = Object.keys(rightsPresets) as RightsPreset[];
  return presets.find((preset) => plainRights(rightsPresets[preset]).join(' ') === plain);
}

export function rightsFault(rights: readonly string[]): Sentence | null {
  const examples = sentence('refused.right.examples');
  const known = new Set<string>(levels.map((level) => `${everyNoun}:${level}`));
  const unknown = rights.find((right) => !(isRight(right) || known.has(right)));
  if (unknown !== undefined)
    return sentence('refused.right.unknown', {
      right: unknown.slice(0, 60),
      examples,
      nouns: [everyNoun, ...apiNouns].join(', '),
      levels: levels.join(', '),
    });
  return rights.length === 0 ? sentence('refused.right.none', { examples }) : null;
}
