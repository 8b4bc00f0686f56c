import { Fragment, type ReactNode } from 'react';
import type { groupFields } from '#lib/management/group/fields.ts';
import { groupWords as words } from '#lib/messages/admin/groups.ts';
import { AreaField, TextField } from '../ui/forms/fields.tsx';

/** What is kept of a group besides its members: a control for each field there is. */
export function GroupFields({ name, description }: { name?: string; description?: string | null }) {
  const controls: Record<keyof typeof groupFields, ReactNode> = {
    name: (
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
    ),
    description: (
      <AreaField
        name="description"
        label={words.description}
        hint={words.descriptionHint}
        defaultValue={description ?? ''}
        rows={2}
        maxLength={500}
        optional
      />
    ),
  };
  return Object.entries(controls).map(([field, control]) => (
    <Fragment key={field}>{control}</Fragment>
  ));
}
