import { Fragment, type ReactNode } from 'react';
import type { GroupField, GroupSaid } from '#lib/management/group/fields.ts';
import { pageText } from '../../locale.ts';
import { AreaField, TextField } from '../ui/forms/fields.tsx';

/** A control for each field of a group except its members. */
export async function GroupFields({ group }: { group?: Required<GroupSaid> }) {
  const text = await pageText();
  const controls: Record<GroupField, ReactNode> = {
    name: (
      <TextField
        name="name"
        label={text('groups.name')}
        hint={text('groups.nameHint')}
        defaultValue={group?.name}
        required
        maxLength={100}
        asTyped
      />
    ),
    description: (
      <AreaField
        name="description"
        label={text('groups.description')}
        hint={text('groups.descriptionHint')}
        defaultValue={group?.description ?? ''}
        rows={2}
        maxLength={500}
        optional
      />
    ),
  };
  return (
    <div className="grid items-start gap-5 md:grid-cols-2">
      {Object.entries(controls).map(([field, control]) => (
        <Fragment key={field}>{control}</Fragment>
      ))}
    </div>
  );
}
