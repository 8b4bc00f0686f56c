'use client';

import type { ComponentProps, ReactNode } from 'react';
import { useText } from '../../../ui/browser-text.tsx';
import { ButtonLink } from '../../../ui/button.tsx';
import { GroupsField } from '../../groups/groups-field.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { TickField } from '../../ui/forms/fields.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { addPerson, type MadePerson } from '../actions.ts';
import { WhoFields } from '../who-fields.tsx';

/** The form for a new person; afterwards the initial password, which is shown once. The child is the field for the last day. */
export function NewPersonForm({
  choices,
  children: end,
}: ComponentProps<typeof GroupsField> & { children: ReactNode }) {
  const text = useText();
  return (
    <ActionForm<MadePerson> action={addPerson} done={(made) => <Made {...made} />}>
      <WhoFields verifiedHint={text('people.newEmailVerifiedHint')} />
      <GroupsField choices={choices} />
      {end}
      <TickField name="admin" label={text('people.asAdmin')} hint={text('people.asAdminHint')} />
      <div>
        <Submit>{text('people.create')}</Submit>
      </div>
    </ActionForm>
  );
}

function Made({ id, username, password }: MadePerson) {
  const text = useText();
  return (
    <div className="grid gap-5">
      <ShownOnce
        title={text('people.createdTitle', { name: username })}
        text={text('people.passwordOnce')}
        label={text('people.password')}
        value={password}
      />
      <div className="flex flex-wrap gap-2">
        <ButtonLink href={`/admin/people/${id}`}>{text('people.openPerson')}</ButtonLink>
        <ButtonLink kind="secondary" href="/admin/people/new">
          {text('people.addAnother')}
        </ButtonLink>
      </div>
    </div>
  );
}
