import type { ApiRecord } from '#lib/management/api/apis.ts';
import { durationIn } from '#lib/messages/format.ts';
import { type Locale, languages, offeredLocales } from '#lib/messages/locales.ts';
import type { ApiValues } from './api-fields.tsx';
import { fieldOf, scopeLines } from './read.ts';

export const languageFields = offeredLocales.map(
  (tag) => [fieldOf(tag), tag, languages[tag].name] as const,
);

export function valuesOf(api: ApiRecord, locale: Locale): ApiValues {
  return {
    name: api.name,
    description: api.description ?? '',
    tokenFormat: api.tokenFormat,
    accessTokenTtl: api.accessTokenTtl === null ? '' : durationIn(locale, api.accessTokenTtl),
    access: api.access,
    lines: scopeLines(api.scopes),
  };
}

export const newValues: ApiValues = {
  name: '',
  description: '',
  tokenFormat: 'opaque',
  accessTokenTtl: '',
  access: 'admins',
  lines: scopeLines([]),
};
