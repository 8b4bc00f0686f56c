import { fieldWords as words } from '#lib/messages/admin/fields.ts';
import { requireAdmin } from '../../../guards.ts';
import { CodeNameField, NewPage } from '../../ui/new-page.tsx';
import { addField } from '../actions.ts';
import { FieldForm } from '../field-form.tsx';

export default async function NewFieldPage() {
  await requireAdmin();
  return (
    <NewPage words={words} list="/admin/fields" action={addField}>
      <CodeNameField label={words.name} hint={words.nameHint} maxLength={100} />
      <FieldForm />
    </NewPage>
  );
}
