import { peopleWords as words } from '#lib/messages/admin/people.ts';
import { requireAdmin } from '../../../guards.ts';
import { Card } from '../../../ui/card.tsx';
import { groupChoices } from '../../groups/choices.ts';
import { AdminPage } from '../../ui/admin-page.tsx';
import { NewPersonForm } from './new-person-form.tsx';

export default async function NewPersonPage() {
  await requireAdmin();
  return (
    <AdminPage
      title={words.add}
      text={words.newLead}
      up={{ href: '/admin/people', label: words.title }}
    >
      <Card className="max-w-2xl">
        <NewPersonForm choices={await groupChoices()} />
      </Card>
    </AdminPage>
  );
}
