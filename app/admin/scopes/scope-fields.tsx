'use client';

import { useState } from 'react';
import { scopeWords as words } from '#lib/messages/admin/scopes.ts';
import { ScopeLines } from '../../ui/scope-lines.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { useForm } from '../ui/forms/action-form.tsx';
import { AreaField, TickField, useField } from '../ui/forms/fields.tsx';

export type ScopeValues = {
  name: string;
  description: string;
  isDefault: boolean;
  sensitive: boolean;
  builtIn: boolean;
  /** The consent page's sentence for a built-in scope. */
  says?: string;
};

/** The fields of a scope, with a preview of the consent page. */
export function ScopeFields({ scope }: { scope: ScopeValues }) {
  const { state } = useForm();
  const { value: typed = '' } = useField('description', scope.description);
  const [description, setDescription] = useState(typed);
  const [sensitive, setSensitive] = useState(
    state.values ? state.values.sensitive !== undefined : scope.sensitive,
  );
  return (
    // Field events bubble up here, so the fields work without scripts.
    <div
      className="grid gap-5"
      onInput={({ target }) => {
        if (target instanceof HTMLTextAreaElement) setDescription(target.value);
        if (target instanceof HTMLInputElement && target.name === 'sensitive')
          setSensitive(target.checked);
      }}
    >
      {scope.builtIn ? (
        <input type="hidden" name="description" value={scope.description} />
      ) : (
        <AreaField
          name="description"
          label={words.description}
          hint={words.descriptionHint}
          defaultValue={scope.description}
          rows={2}
          maxLength={300}
          required
        />
      )}
      <div className="rounded-xl border border-line bg-sunken px-4 py-3">
        <p className="mb-2 text-sm font-semibold text-ink-soft">{words.preview}</p>
        {description.trim() || scope.builtIn ? (
          <ScopeLines
            lines={[
              {
                name: scope.name,
                sentence: scope.says ?? <UserText text={description} />,
                sensitive: sensitive ? words.previewSensitive : undefined,
              },
            ]}
          />
        ) : (
          <p className="text-sm text-ink-soft">{words.previewEmpty}</p>
        )}
        {scope.builtIn && <p className="mt-2 text-sm text-ink-soft">{words.descriptionBuiltIn}</p>}
      </div>
      <TickField
        name="isDefault"
        label={words.isDefaultLabel}
        hint={words.isDefaultHint}
        initial={scope.isDefault}
      />
      <TickField
        name="sensitive"
        label={words.sensitiveLabel}
        hint={words.sensitiveHint}
        initial={scope.sensitive}
      />
    </div>
  );
}
