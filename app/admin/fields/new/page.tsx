import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { CodeNameField, NewPage } from '../../ui/new-page.tsx';
import { addField } from '../actions.ts';
import { FieldForm } from '../field-form.tsx';

export default async function NewFieldPage() {
  await guardPage('/admin/fields/new');
  const text = await pageText();
  return (
    <NewPage room="fields" list="/admin/fields" action={addField}>
      <CodeNameField label={text('fields.name')} hint={text('fields.nameHint')} maxLength={100} />
      <FieldForm />
    </NewPage>
  );
}
