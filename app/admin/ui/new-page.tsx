import type { ComponentProps, ReactNode } from 'react';
import { Card } from '../../ui/card.tsx';
import { AdminPage } from './admin-page.tsx';
import { type Action, ActionForm } from './forms/action-form.tsx';
import { TextField } from './forms/fields.tsx';
import { Submit } from './forms/submit.tsx';

type Props = {
  words: { newTitle: string; newLead: string; title: string; create: string };
  /** The list that it will stand in. */
  list: string;
  action: Action;
  children: ReactNode;
};

/** A page with one form, which makes something. */
export function NewPage({ words, list, action, children }: Props) {
  return (
    <AdminPage
      title={words.newTitle}
      text={words.newLead}
      up={{ href: list, label: words.title }}
      width="narrow"
    >
      <Card>
        <ActionForm action={action}>
          {children}
          <div>
            <Submit>{words.create}</Submit>
          </div>
        </ActionForm>
      </Card>
    </AdminPage>
  );
}

/** The name by which apps and commands know something. */
export function CodeNameField(props: Omit<ComponentProps<typeof TextField>, 'name'>) {
  return (
    <TextField
      {...props}
      name="name"
      required
      spellCheck={false}
      autoCapitalize="none"
      className="font-mono"
    />
  );
}
