'use client';

import type { ComponentProps } from 'react';
import { useForm } from './forms/action-form.tsx';
import { AreaField } from './forms/fields.tsx';

type Translation = {
  field: string;
  /** The tag of the language, and its own name. */
  tag: string;
  name: string;
  stored: string | undefined;
};

type Props = Pick<ComponentProps<typeof AreaField>, 'rows' | 'maxLength' | 'className'> & {
  title: string;
  hint: string;
  texts: readonly Translation[];
};

/** A text in each language, folded until there is one. */
export function Translations({ title, hint, texts, ...area }: Props) {
  const { state } = useForm();
  const isOpen = texts.some(({ field, stored }) => stored || state.faults[field]);
  return (
    <details open={isOpen}>
      <summary className="w-fit cursor-pointer py-1 text-sm font-semibold">{title}</summary>
      <p className="mt-1 mb-3 text-sm text-ink-soft">{hint}</p>
      <div className="grid gap-4">
        {texts.map(({ field, tag, name, stored }) => (
          <AreaField
            key={field}
            name={field}
            label={name}
            lang={tag}
            defaultValue={stored}
            optional
            {...area}
          />
        ))}
      </div>
    </details>
  );
}
