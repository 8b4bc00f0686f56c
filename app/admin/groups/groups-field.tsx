'use client';

import { useText } from '../../ui/browser-text.tsx';
import { stripBidi } from '../../ui/strip-bidi.ts';
import { ChoiceField, TextField } from '../ui/forms/fields.tsx';

/** The groups of a new person: tick boxes if there are few, otherwise a field for names. */
export function GroupsField({ choices }: { choices: { id: string; name: string }[] | null }) {
  const text = useText();
  if (choices?.length === 0) return null;
  if (choices === null)
    return (
      <TextField
        name="groups"
        label={text('groups.given')}
        hint={text('groups.givenNames')}
        optional
        asTyped
        maxLength={4000}
      />
    );
  return (
    <ChoiceField
      name="groups"
      legend={text('groups.given')}
      hint={text('groups.givenHint')}
      options={choices.map(({ id, name }) => ({ value: id, label: stripBidi(name) }))}
      many
      columns
      initial={[]}
    />
  );
}
