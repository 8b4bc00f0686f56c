import { guardPage } from '../../../guards.ts';
import { NewPage } from '../../ui/new-page.tsx';
import { addGroup } from '../actions.ts';
import { GroupFields } from '../group-fields.tsx';

export default async function NewGroupPage() {
  await guardPage('/admin/groups/new');
  return (
    <NewPage room="groups" list="/admin/groups" action={addGroup}>
      <GroupFields />
    </NewPage>
  );
}
