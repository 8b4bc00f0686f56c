import { formatNames, formats } from '#lib/import/names.ts';
import { guardPage } from '../../../../guards.ts';
import { pageText } from '../../../../locale.ts';
import { Card } from '../../../../ui/card.tsx';
import { AdminPage } from '../../../ui/admin-page.tsx';
import { AreaField, SelectField, TextField } from '../../../ui/forms/fields.tsx';
import { FileField } from '../../../ui/forms/file-field.tsx';
import { SaveForm } from '../../../ui/forms/save-form.tsx';
import { QuickLink } from '../../../ui/quick-link.tsx';
import { readProgramFile } from '../actions.ts';

/** Takes another program's file, to import its people. */
export default async function ProgramPage() {
  await guardPage('/admin/people/import/program');
  const text = await pageText();
  const options = formats.map((value) => ({ value, label: formatNames[value] }));
  return (
    <AdminPage
      title={text('move.title')}
      text={text('move.lead')}
      up="/admin/people/import"
      width="narrow"
    >
      <Card>
        <SaveForm need="admin" action={readProgramFile} save={text('import.next')}>
          <SelectField
            name="from"
            label={text('move.from')}
            hint={
              <QuickLink className="gh-link" href="/docs/import">
                {text('move.howTo')}
              </QuickLink>
            }
            options={options}
            defaultValue="keycloak"
          />
          <FileField
            name="file"
            label={text('move.file')}
            hint={text('move.fileHint')}
            accept=".json,.ndjson,.csv,.yml,.yaml,.ldif,.txt"
          />
          <TextField
            name="realm"
            label={text('move.realm')}
            hint={text('move.realmHint')}
            maxLength={200}
            optional
          />
          <AreaField
            name="hash_parameters"
            label={text('move.parameters')}
            hint={text('move.parametersHint')}
            rows={2}
            maxLength={5000}
            spellCheck={false}
            optional
          />
        </SaveForm>
      </Card>
    </AdminPage>
  );
}
