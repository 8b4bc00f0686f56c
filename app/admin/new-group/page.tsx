import { groupWords as words } from '#lib/messages/admin/groups.ts';
import { requireAdmin } from '../../guards.ts';
import { addGroup } from '../groups/actions.ts';
import { GroupFields } from '../groups/group-fields.tsx';
import { NewPage } from '../ui/new-page.tsx';

export default async function NewGroupPage() {
  await requireAdmin();
  return (
    <NewPage words={words} list="/admin/groups" action={addGroup}>
      <GroupFields />
    </NewPage>
  );
}
