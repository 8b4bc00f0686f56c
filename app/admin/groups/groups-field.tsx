'use client';

import { groupWords as words } from '#lib/messages/admin/groups.ts';
import { stripBidi } from '../../ui/strip-bidi.ts';
import { ChoiceField, TextField } from '../ui/forms/fields.tsx';

/** The groups of somebody new: ticked where they are few, else named. */
export function GroupsField({ choices }: { choices: { id: string; name: string }[] | null }) {
  if (choices?.length === 0) return null;
  if (choices === null)
    return (
      <TextField
        name="groups"
        label={words.given}
        hint={words.givenNames}
        optional
        autoCapitalize="none"
        spellCheck={false}
        maxLength={4000}
      />
    );
  return (
    <ChoiceField
      name="groups"
      legend={words.given}
      hint={words.givenHint}
      options={choices.map(({ id, name }) => ({ value: id, label: stripBidi(name) }))}
      many
      columns
      initial={[]}
    />
  );
}
