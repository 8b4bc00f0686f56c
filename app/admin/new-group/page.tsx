import { groupWords as words } from '#lib/messages/admin/groups.ts';
import { requireAdmin } from '../../guards.ts';
import { Card } from '../../ui/card.tsx';
import { addGroup } from '../groups/actions.ts';
import { GroupFields } from '../groups/group-fields.tsx';
import { AdminPage } from '../ui/admin-page.tsx';
import { ActionForm } from '../ui/forms/action-form.tsx';
import { Submit } from '../ui/forms/submit.tsx';

export default async function NewGroupPage() {
  await requireAdmin();
  return (
    <AdminPage
      title={words.newTitle}
      text={words.newLead}
      up={{ href: '/admin/groups', label: words.title }}
      width="narrow"
    >
      <Card>
        <ActionForm action={addGroup}>
          <GroupFields />
          <div>
            <Submit>{words.create}</Submit>
          </div>
        </ActionForm>
      </Card>
    </AdminPage>
  );
}
