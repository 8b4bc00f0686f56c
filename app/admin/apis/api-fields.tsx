'use client';

import { Fragment, type ReactNode } from 'react';
import type { ApiChange } from '#lib/management/api/apis.ts';
import { apiAccesses, tokenFormats } from '#lib/oauth/api.ts';
import { useText } from '../../ui/browser-text.tsx';
import { AreaField, ChoiceField, TextField } from '../ui/forms/fields.tsx';
import { Translations } from '../ui/translations.tsx';

/** The values of the controls. A lifetime is in words; empty for the default. */
export type ApiValues = Record<Exclude<keyof ApiChange, 'scopes'>, string> & {
  /** The lines of each text area, by field. */
  lines: Readonly<Record<string, string>>;
};

type Props = {
  api: ApiValues;
  /** The languages of the screens: the field for texts in each, its tag, and its own name. */
  languages: readonly (readonly [field: string, tag: string, name: string])[];
  /** Set for an existing API. */
  isOld?: boolean;
};

/** A control for each field of an API except its identifier. */
export function ApiFields({ api, languages, isOld }: Props) {
  const text = useText();
  const controls: Record<keyof ApiChange, ReactNode> = {
    name: (
      <TextField
        name="name"
        label={text('apis.name')}
        hint={text('apis.nameHint')}
        defaultValue={api.name}
        required
        maxLength={100}
      />
    ),
    description: (
      <TextField
        name="description"
        label={text('apis.description')}
        hint={text('apis.descriptionHint')}
        defaultValue={api.description}
        maxLength={500}
        optional
      />
    ),
    scopes: <Scopes api={api} languages={languages} isOld={isOld} />,
    tokenFormat: (
      <ChoiceField
        name="tokenFormat"
        legend={text('apis.tokenFormat')}
        initial={[api.tokenFormat]}
        options={tokenFormats.map((value) => ({
          value,
          label: text(`apis.formats.${value}.label`),
          hint: text(`apis.formats.${value}.hint`),
        }))}
      />
    ),
    accessTokenTtl: (
      <TextField
        name="accessTokenTtl"
        label={text('apis.lifetime')}
        hint={text('apis.lifetimeHint')}
        defaultValue={api.accessTokenTtl}
        asTyped
        maxLength={80}
        optional
      />
    ),
    access: (
      <ChoiceField
        name="access"
        legend={text('apis.access')}
        initial={[api.access]}
        options={apiAccesses.map((value) => ({
          value,
          label: text(`apis.accesses.${value}.label`),
          hint: text(`apis.accesses.${value}.hint`),
        }))}
      />
    ),
  };
  return (
    <div className="gh-columns">
      {Object.entries(controls).map(([field, control]) => (
        <Fragment key={field}>{control}</Fragment>
      ))}
    </div>
  );
}

function Scopes({ api, languages, isOld }: Props) {
  const text = useText();
  const hint = text('apis.scopesHint');
  return (
    <>
      <AreaField
        name="scopes"
        label={text('apis.scopes')}
        hint={isOld ? `${hint} ${text('apis.scopesEdit')}` : hint}
        defaultValue={api.lines.scopes}
        rows={4}
        asTyped
        className="font-mono text-sm!"
        optional
      />
      <Translations
        title={text('apis.translations')}
        hint={text('apis.translationsHint')}
        texts={languages.map(([field, tag, name]) => ({
          field,
          tag,
          name,
          stored: api.lines[field],
        }))}
        rows={3}
        className="font-mono text-sm!"
      />
    </>
  );
}
