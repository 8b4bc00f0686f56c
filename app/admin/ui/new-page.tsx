import type { ComponentProps, ReactNode } from 'react';
import { pageText } from '../../locale.ts';
import { Card } from '../../ui/card.tsx';
import type { PagePath } from '../pages.ts';
import { AdminPage } from './admin-page.tsx';
import type { Action } from './forms/action-form.tsx';
import { TextField } from './forms/fields.tsx';
import { SaveForm } from './forms/save-form.tsx';

type Props = {
  /** The part of the catalogue with its messages. */
  room: 'fields' | 'groups' | 'scopes' | 'termsOfUse';
  /** The list to which the new item will belong. */
  list: PagePath;
  action: Action;
  children: ReactNode;
};

/** A page with one form, which creates something. */
export async function NewPage({ room, list, action, children }: Props) {
  const text = await pageText();
  return (
    <AdminPage
      title={text(`${room}.newTitle`)}
      text={text(`${room}.newLead`)}
      up={list}
      width="narrow"
    >
      <Card>
        <SaveForm action={action} save={text(`${room}.create`)}>
          {children}
        </SaveForm>
      </Card>
    </AdminPage>
  );
}

/** The name that apps and commands use for something. */
export function CodeNameField(props: Omit<ComponentProps<typeof TextField>, 'name'>) {
  return <TextField {...props} name="name" required asTyped className="font-mono" />;
}
