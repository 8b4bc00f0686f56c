import { groupWords as words } from '#lib/messages/admin/groups.ts';
import { AreaField, TextField } from '../ui/forms/fields.tsx';

/** What is kept of a group besides its members. */
export function GroupFields({ name, description }: { name?: string; description?: string | null }) {
  return (
    <>
      <TextField
        name="name"
        label={words.name}
        hint={words.nameHint}
        defaultValue={name}
        required
        maxLength={100}
        spellCheck={false}
        autoCapitalize="none"
      />
      <AreaField
        name="description"
        label={words.description}
        hint={words.descriptionHint}
        defaultValue={description ?? ''}
        rows={2}
        maxLength={500}
        optional
      />
    </>
  );
}
