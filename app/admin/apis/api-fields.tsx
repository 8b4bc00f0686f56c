'use client';

import { apiWords as words } from '#lib/messages/admin/apis.ts';
import { apiAccesses, tokenFormats } from '#lib/oauth/api.ts';
import { useForm } from '../ui/forms/action-form.tsx';
import { AreaField, ChoiceField, TextField } from '../ui/forms/fields.tsx';

export type ApiValues = {
  name: string;
  description: string;
  tokenFormat: string;
  /** As people say it; empty: the usual. */
  accessTokenTtl: string;
  access: string;
  /** Lines, by field. */
  lines: Readonly<Record<string, string>>;
};

type Props = {
  api: ApiValues;
  /** Those of the screens: the field of the texts in it, its tag and own name. */
  languages: readonly (readonly [field: string, tag: string, name: string])[];
  /** Only of an API that is there already. */
  isOld?: boolean;
};

/** What is decided about an API besides its identifier. */
export function ApiFields({ api, languages, isOld }: Props) {
  return (
    <>
      <TextField
        name="name"
        label={words.name}
        hint={words.nameHint}
        defaultValue={api.name}
        required
        maxLength={100}
      />
      <TextField
        name="description"
        label={words.description}
        hint={words.descriptionHint}
        defaultValue={api.description}
        maxLength={500}
        optional
      />
      <AreaField
        name="scopes"
        label={words.scopes}
        hint={isOld ? `${words.scopesHint} ${words.scopesEdit}` : words.scopesHint}
        defaultValue={api.lines.scopes}
        rows={4}
        spellCheck={false}
        autoCapitalize="none"
        className="font-mono text-sm!"
        optional
      />
      <Translations api={api} languages={languages} />
      <ChoiceField
        name="tokenFormat"
        legend={words.tokenFormat}
        initial={[api.tokenFormat]}
        options={tokenFormats.map((value) => ({ value, ...words.formats[value] }))}
      />
      <TextField
        name="accessTokenTtl"
        label={words.lifetime}
        hint={words.lifetimeHint}
        defaultValue={api.accessTokenTtl}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={80}
        optional
      />
      <ChoiceField
        name="access"
        legend={words.access}
        initial={[api.access]}
        options={apiAccesses.map((value) => ({ value, ...words.accesses[value] }))}
      />
    </>
  );
}

/** The texts in each language, folded until one is there. */
function Translations({ api, languages }: Props) {
  const { state } = useForm();
  const isOpen = languages.some(([field]) => api.lines[field] || state.faults[field]);
  return (
    <details open={isOpen}>
      <summary className="w-fit cursor-pointer py-1 text-sm font-semibold">
        {words.translations}
      </summary>
      <p className="mt-1 mb-3 text-sm text-ink-soft">{words.translationsHint}</p>
      <div className="grid gap-4">
        {languages.map(([field, tag, name]) => (
          <AreaField
            key={field}
            name={field}
            label={name}
            lang={tag}
            defaultValue={api.lines[field]}
            rows={3}
            className="font-mono text-sm!"
            optional
          />
        ))}
      </div>
    </details>
  );
}
