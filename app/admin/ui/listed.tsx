import type { ReactNode } from 'react';
import { Hidden } from '../../ui/hidden.tsx';
import { type Action, ActionForm } from './forms/action-form.tsx';
import { Submit } from './forms/submit.tsx';

type Props = {
  action: Action;
  /** The hidden fields that name the entry. */
  fields: Record<string, string | undefined>;
  button: string;
  /** The button's name for people who cannot see the entry beside it. */
  label: string;
  children: ReactNode;
};

/** An entry of a list, with the one action for it. */
export function Listed({ action, fields, button, label, children }: Props) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2 first:pt-0">
      <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">{children}</span>
      <ActionForm action={action} className="grid gap-2">
        <Hidden fields={fields} />
        <Submit kind="secondary" size="small" aria-label={label}>
          {button}
        </Submit>
      </ActionForm>
    </li>
  );
}
