'use client';

import type { ComponentProps } from 'react';
import { peopleWords as words } from '#lib/messages/admin/people.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { GroupsField } from '../../groups/groups-field.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { TextField, TickField } from '../../ui/forms/fields.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { addPerson, type MadePerson } from '../actions.ts';

/** The new user form; afterwards the initial password, shown once. */
export function NewPersonForm({ choices }: ComponentProps<typeof GroupsField>) {
  return (
    <ActionForm<MadePerson> action={addPerson} done={(made) => <Made {...made} />}>
      <TextField
        name="username"
        label={words.username}
        hint={words.usernameHint}
        required
        maxLength={64}
        spellCheck={false}
        autoCapitalize="none"
      />
      <TextField
        name="email"
        type="email"
        label={words.email}
        required
        maxLength={254}
        spellCheck={false}
      />
      <TickField
        name="emailVerified"
        label={words.emailVerified}
        hint={words.newEmailVerifiedHint}
      />
      <TextField name="name" label={words.name} optional maxLength={200} />
      <GroupsField choices={choices} />
      <TickField name="admin" label={words.asAdmin} hint={words.asAdminHint} />
      <div>
        <Submit>{words.create}</Submit>
      </div>
    </ActionForm>
  );
}

function Made({ id, username, password }: MadePerson) {
  return (
    <div className="grid gap-5">
      <ShownOnce
        title={words.createdTitle(username)}
        text={words.passwordOnce}
        label={words.password}
        value={password}
      />
      <div className="flex flex-wrap gap-2">
        <ButtonLink href={`/admin/people/${id}`}>{words.openPerson}</ButtonLink>
        <ButtonLink kind="secondary" href="/admin/people/new">
          {words.addAnother}
        </ButtonLink>
      </div>
    </div>
  );
}
