'use client';

import { Fragment, type ReactNode } from 'react';
import type { ScopeField } from '#lib/management/scope/fields.ts';
import type { Scope } from '#lib/management/scope/scopes.ts';
import { useText } from '../../ui/browser-text.tsx';
import { ScopeLines } from '../../ui/scope-lines.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { useForm } from '../ui/forms/action-form.tsx';
import { AreaField, TickField, useField } from '../ui/forms/fields.tsx';
import { Translations } from '../ui/translations.tsx';

type ScopeValues = Scope & {
  /** The consent page's sentence for a built-in scope. */
  says?: string;
};

type Props = {
  scope: ScopeValues;
  /** The languages of the screens: the tag of each, and its own name. */
  languages: readonly (readonly [tag: string, name: string])[];
  /** The page that contains the fields, and what has been typed there so far. */
  at: string;
  typed: Readonly<Record<string, string>>;
};

/** A control for each field of a scope, with a preview of the consent page. */
export function ScopeFields({ scope, languages, at, typed }: Props) {
  const text = useText();
  const controls: Record<ScopeField, ReactNode> = {
    description: scope.builtIn ? (
      <input type="hidden" name="description" value={scope.description} />
    ) : (
      <AreaField
        name="description"
        label={text('scopes.description')}
        hint={text('scopes.descriptionHint')}
        defaultValue={scope.description}
        rows={2}
        maxLength={300}
        required
      />
    ),
    descriptions: !scope.builtIn && (
      <Translations
        title={text('scopes.translations')}
        hint={text('scopes.translationsHint')}
        texts={languages.map(([tag, name]) => ({
          field: `descriptions.${tag}`,
          tag,
          name,
          stored: scope.translations[tag],
        }))}
        rows={2}
        maxLength={300}
      />
    ),
    default: (
      <TickField
        name="isDefault"
        label={text('scopes.isDefaultLabel')}
        hint={text('scopes.isDefaultHint')}
        initial={scope.isDefault}
      />
    ),
    sensitive: (
      <TickField
        name="sensitive"
        label={text('scopes.sensitiveLabel')}
        hint={text('scopes.sensitiveHint')}
        initial={scope.sensitive}
      />
    ),
  };
  const { description: words, descriptions: translations, ...others } = controls;
  return (
    <div id="scope" className="gh-columns">
      {words}
      {translations}
      {Object.entries(others).map(([field, control]) => (
        <Fragment key={field}>{control}</Fragment>
      ))}
      <Preview scope={scope} at={at} typed={typed} />
    </div>
  );
}

/**
 * What the consent page will say about the scope, reloaded while the user types (`public/live.js`).
 */
function Preview({ scope, at, typed }: Pick<Props, 'scope' | 'at' | 'typed'>) {
  const text = useText();
  const { description, isSensitive } = usePreviewed(scope, typed);
  const line = {
    name: scope.name,
    sentence: scope.says ?? <UserText text={description} />,
    sensitive: isSensitive ? text('scopes.previewSensitive') : undefined,
  };
  return (
    <div
      id="preview"
      data-live={at}
      data-typed='#scope [name="description"], #scope [name="sensitive"]'
      className="col-span-full rounded-xl border border-line bg-sunken px-4 py-3"
    >
      <p className="mb-2 text-sm font-semibold text-ink-soft">{text('scopes.preview')}</p>
      {description.trim() || scope.builtIn ? (
        <ScopeLines lines={[line]} />
      ) : (
        <p className="text-sm text-ink-soft">{text('scopes.previewEmpty')}</p>
      )}
      {scope.builtIn && (
        <p className="mt-2 text-sm text-ink-soft">{text('scopes.descriptionBuiltIn')}</p>
      )}
    </div>
  );
}

/** The values to preview: what is typed now, else what was refused, else what is stored. */
function usePreviewed(scope: ScopeValues, typed: Props['typed']) {
  const { state } = useForm();
  const { value = '' } = useField('description', scope.description);
  if (typed.description !== undefined)
    return {
      description: typed.description.slice(0, 300),
      isSensitive: typed.sensitive !== undefined,
    };
  const isSensitive = state.values ? state.values.sensitive !== undefined : scope.sensitive;
  return { description: value, isSensitive };
}
