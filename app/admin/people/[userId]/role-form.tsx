import type { UserRecord } from '#lib/management/user/users.ts';
import { roles } from '#lib/people/roles.ts';
import { pageText } from '../../../locale.ts';
import { ChoiceField } from '../../ui/forms/fields.tsx';
import { SaveForm } from '../../ui/forms/save-form.tsx';
import { setPersonRole } from '../actions.ts';
import { Group } from './group.tsx';

const shown = [...roles].reverse();

/** What this person may do in the dashboard. */
export async function RoleForm({ user: { id, role } }: { user: UserRecord }) {
  const text = await pageText();
  return (
    <Group title={text('people.accessRole')} text={text('people.accessRoleText')}>
      <SaveForm
        action={setPersonRole}
        label={text('people.accessRole')}
        className="grid gap-4"
        fields={{ id }}
        kind="secondary"
        size="small"
        save={text('people.changeRole')}
      >
        <ChoiceField
          name="role"
          legend={<span className="sr-only">{text('people.accessRole')}</span>}
          options={shown.map((value) => ({
            value,
            label: text(`people.roles.${value}`),
            hint: text(`people.roleHints.${value}`),
          }))}
          initial={[role]}
          columns
        />
      </SaveForm>
    </Group>
  );
}
