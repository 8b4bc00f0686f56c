import type { ReactNode } from 'react';
import type { Permission } from '#lib/people/roles.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { type Action, ActionForm } from './action-form.tsx';
import { Submit } from './submit.tsx';

type Props = {
  action: Action;
  fields: Record<string, string | undefined>;
  /** The button that reveals the consequences, with the item's name in lists of similar items. */
  label: string;
  accessibleLabel?: string;
  text: ReactNode;
  /** The button that does it. */
  confirm: string;
  quiet?: boolean;
  need?: Permission;
  adds?: boolean;
  className?: string;
};

/** A form with one button, for something that asks for a confirmation first. */
export function Confirmed({ action, fields, confirm, need, adds, className, ...asks }: Props) {
  return (
    <ActionForm
      action={action}
      need={need}
      adds={adds}
      className={className ? `grid gap-3 ${className}` : 'grid gap-3'}
    >
      <Hidden fields={fields} />
      <Confirm {...asks}>
        <Submit kind="danger" size="small">
          {confirm}
        </Submit>
      </Confirm>
    </ActionForm>
  );
}
