import type { UserRecord } from '#lib/management/user/users.ts';
import { peopleWords as words } from '#lib/messages/admin/people.ts';
import { roles } from '#lib/people/roles.ts';
import { Hidden } from '../../../ui/hidden.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { ChoiceField } from '../../ui/forms/fields.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { setPersonRole } from '../actions.ts';
import { Group } from './group.tsx';

const shown = [...roles].reverse();

/** What this person may do in the dashboard. */
export function RoleForm({ user: { id, role } }: { user: UserRecord }) {
  return (
    <Group title={words.accessRole} text={words.accessRoleText}>
      <ActionForm action={setPersonRole} label={words.accessRole} className="grid gap-4">
        <Hidden fields={{ id }} />
        <ChoiceField
          name="role"
          legend={<span className="sr-only">{words.accessRole}</span>}
          options={shown.map((value) => ({
            value,
            label: words.roles[value],
            hint: words.roleHints[value],
          }))}
          initial={[role]}
          columns
        />
        <div>
          <Submit kind="secondary" size="small">
            {words.changeRole}
          </Submit>
        </div>
      </ActionForm>
    </Group>
  );
}
