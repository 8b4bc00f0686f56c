import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { Card } from '../../../ui/card.tsx';
import { AdminPage } from '../../ui/admin-page.tsx';
import { TextField } from '../../ui/forms/fields.tsx';
import { SaveForm } from '../../ui/forms/save-form.tsx';
import { addApi } from '../actions.ts';
import { ApiFields } from '../api-fields.tsx';
import { languageFields, newValues } from '../api-values.ts';

export default async function NewApiPage() {
  await guardPage('/admin/apis/new');
  const text = await pageText();
  return (
    <AdminPage
      title={text('apis.newTitle')}
      text={text('apis.newLead')}
      up="/admin/apis"
      width="narrow"
    >
      <Card>
        <SaveForm action={addApi} save={text('apis.create')}>
          <TextField
            name="identifier"
            label={text('apis.identifier')}
            hint={text('apis.identifierHint')}
            required
            maxLength={500}
            inputMode="url"
            asTyped
            className="font-mono"
          />
          <ApiFields api={newValues} languages={languageFields} />
        </SaveForm>
      </Card>
    </AdminPage>
  );
}
