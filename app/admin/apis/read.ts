import type { ApiRecord } from '#lib/management/api/apis.ts';
import type { ApiField } from '#lib/management/api/fields.ts';
import { lifetime } from '#lib/management/client/client-rules.ts';
import { listedTwice, pairLine, readPairs } from '#lib/management/pairs.ts';
import { refuseAdmin } from '#lib/management/refusal.ts';
import { offeredLocales } from '#lib/messages/locales.ts';
import { sentence } from '#lib/messages/sentence.ts';
import { listOf, textOf } from '../act.ts';

/** Reads the form of an API, except for its identifier. @throws AdminRefusal */
export function readApi(form: FormData) {
  const life = textOf(form, 'accessTokenTtl').trim();
  return {
    name: textOf(form, 'name'),
    description: textOf(form, 'description'),
    token_format: textOf(form, 'tokenFormat') as ApiRecord['tokenFormat'],
    // If the text is not a duration, -1 makes the rules refuse it at its field.
    access_token_ttl: life === '' ? null : (lifetime.parse(life) ?? -1),
    access: textOf(form, 'access') as ApiRecord['access'],
    scopes: readScopes(form),
  } satisfies Record<ApiField, unknown>;
}

function readScopes(form: FormData) {
  const descriptions = linesOf(form, 'scopes');
  const texts = offeredLocales.map((tag) => [tag, linesOf(form, fieldOf(tag))] as const);
  for (const [tag, lines] of texts) {
    const strange = Object.keys(lines).find((name) => !Object.hasOwn(descriptions, name));
    if (strange !== undefined)
      refuseAdmin(fieldOf(tag), sentence('apis.strangeScope', { name: strange.slice(0, 60) }));
  }
  return Object.entries(descriptions).map(([name, description]) => ({
    name,
    description,
    descriptions: Object.fromEntries(texts.map(([tag, lines]) => [tag, lines[name] ?? ''])),
  }));
}

function linesOf(form: FormData, field: string): Readonly<Record<string, string>> {
  const read = readPairs(listOf(form, field).filter((line) => line.trim()));
  return 'pairs' in read ? read.pairs : refuseAdmin(field, listedTwice(read.twice));
}

/** The field for the texts in a language. */
export const fieldOf = (tag: string) => `scopes.${tag}`;

/** The lines about scopes, by form field. */
export function scopeLines(scopes: ApiRecord['scopes']): Record<string, string> {
  const texts = (tag: string) =>
    scopes.flatMap(({ name, translations }) =>
      translations[tag] ? pairLine([name, translations[tag]]) : [],
    );
  return {
    scopes: scopes.map(({ name, description }) => pairLine([name, description])).join('\n'),
    ...Object.fromEntries(offeredLocales.map((tag) => [fieldOf(tag), texts(tag).join('\n')])),
  };
}
