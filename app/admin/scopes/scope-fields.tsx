'use client';

import { Fragment, type ReactNode, useState } from 'react';
import type { ScopeField } from '#lib/management/scope/acts.ts';
import type { Scope } from '#lib/management/scope/scopes.ts';
import { useText } from '../../ui/browser-text.tsx';
import { ScopeLines } from '../../ui/scope-lines.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { useForm } from '../ui/forms/action-form.tsx';
import { AreaField, TickField, useField } from '../ui/forms/fields.tsx';

type ScopeValues = Scope & {
  /** The consent page's sentence for a built-in scope. */
  says?: string;
};

/** A control for each field of a scope, with a preview of the consent page. */
export function ScopeFields({
  scope,
  languages,
}: {
  scope: ScopeValues;
  /** Those of the screens: tag and own name. */
  languages: readonly (readonly [tag: string, name: string])[];
}) {
  const text = useText();
  const { state } = useForm();
  const { value: typed = '' } = useField('description', scope.description);
  const [description, setDescription] = useState(typed);
  const [sensitive, setSensitive] = useState(
    state.values ? state.values.sensitive !== undefined : scope.sensitive,
  );
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
    descriptions: !scope.builtIn && <Translations scope={scope} languages={languages} />,
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
    // Field events bubble up here, so the fields work without scripts.
    <div
      className="grid gap-5"
      onInput={({ target }) => {
        if (target instanceof HTMLTextAreaElement && target.name === 'description')
          setDescription(target.value);
        if (target instanceof HTMLInputElement && target.name === 'sensitive')
          setSensitive(target.checked);
      }}
    >
      {words}
      {translations}
      <Preview scope={scope} description={description} isSensitive={sensitive} />
      {Object.entries(others).map(([field, control]) => (
        <Fragment key={field}>{control}</Fragment>
      ))}
    </div>
  );
}

type PreviewProps = { scope: ScopeValues; description: string; isSensitive: boolean };

/** What the consent page says of the scope. */
function Preview({ scope, description, isSensitive }: PreviewProps) {
  const text = useText();
  const line = {
    name: scope.name,
    sentence: scope.says ?? <UserText text={description} />,
    sensitive: isSensitive ? text('scopes.previewSensitive') : undefined,
  };
  return (
    <div className="rounded-xl border border-line bg-sunken px-4 py-3">
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

/** The text in each language, folded until one is there. */
function Translations({ scope, languages }: Parameters<typeof ScopeFields>[0]) {
  const text = useText();
  const { state } = useForm();
  const names = languages.map(([tag]) => `descriptions.${tag}`);
  const isOpen =
    Object.keys(scope.translations).length > 0 || names.some((name) => state.faults[name]);
  return (
    <details open={isOpen}>
      <summary className="w-fit cursor-pointer py-1 text-sm font-semibold">
        {text('scopes.translations')}
      </summary>
      <p className="mt-1 mb-3 text-sm text-ink-soft">{text('scopes.translationsHint')}</p>
      <div className="grid gap-4">
        {languages.map(([tag, name]) => (
          <AreaField
            key={tag}
            name={`descriptions.${tag}`}
            label={name}
            lang={tag}
            defaultValue={scope.translations[tag] ?? ''}
            rows={2}
            maxLength={300}
            optional
          />
        ))}
      </div>
    </details>
  );
}
