import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { groupChoices } from '../../groups/filter.ts';
import { AdminPage } from '../../ui/admin-page.tsx';
import { EndField } from '../../ui/forms/end-field.tsx';
import { NewPersonForm } from './new-person-form.tsx';

export default async function NewPersonPage() {
  await guardPage('/admin/people/new');
  const text = await pageText();
  return (
    <AdminPage title={text('people.add')} text={text('people.newLead')} up="/admin/people">
      <Card className="max-w-4xl">
        <NewPersonForm choices={await groupChoices()}>
          <EndField />
        </NewPersonForm>
      </Card>
    </AdminPage>
  );
}
