import type { ReactNode } from 'react';
import type { Permission } from '#lib/people/roles.ts';
import type { ButtonLook } from '../../../ui/button.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { type Action, ActionForm } from './action-form.tsx';
import { Seen } from './seen.tsx';
import { Submit } from './submit.tsx';

type Props = Pick<ButtonLook, 'kind' | 'size'> & {
  action: Action;
  fields?: Record<string, string | undefined>;
  /** The version that it shows, for things that several people may edit. */
  seen?: string;
  save: ReactNode;
  label?: string;
  need?: Permission;
  adds?: boolean;
  className?: string;
  children?: ReactNode;
};

/** A form with one button below its fields. */
export function SaveForm({ fields = {}, seen, save, kind, size, children, ...form }: Props) {
  return (
    <ActionForm {...form}>
      <Hidden fields={fields} />
      {seen !== undefined && <Seen value={seen} />}
      {children}
      <div>
        <Submit kind={kind} size={size}>
          {save}
        </Submit>
      </div>
    </ActionForm>
  );
}
