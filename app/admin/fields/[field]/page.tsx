import { decoded } from '#lib/http/decoded.ts';
import { countOfField, showField, versionOfField } from '#lib/management/field/user-fields.ts';
import { isKept } from '#lib/management/kept.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { orNotFound } from '../../../or-not-found.ts';
import { Card } from '../../../ui/card.tsx';
import { UserText } from '../../../ui/user-text.tsx';
import { AdminPage } from '../../ui/admin-page.tsx';
import { SaveForm } from '../../ui/forms/save-form.tsx';
import { Kept } from '../../ui/kept.tsx';
import { Removal } from '../../ui/removal.tsx';
import { removeField, saveField } from '../actions.ts';
import { FieldForm } from '../field-form.tsx';

export default async function FieldPage({ params }: { params: Promise<{ field: string }> }) {
  await guardPage('/admin/fields/[field]');
  const text = await pageText();
  const field = await orNotFound(showField(decoded((await params).field)));
  const people = await countOfField(field.name);
  const kept = await isKept('field', field.name);
  return (
    <AdminPage
      title={field.label}
      heading={<UserText className="wrap-anywhere" text={field.label} />}
      text={<span className="font-mono wrap-anywhere">{field.name}</span>}
      up="/admin/fields"
      width="narrow"
      kept={kept && 'field'}
    >
      <Kept kept={kept}>
        <Card text={text('fields.search', { name: field.name })}>
          <SaveForm
            action={saveField}
            fields={{ field: field.name }}
            seen={versionOfField(field)}
            save={text('fields.save')}
          >
            <FieldForm field={field} used={people > 0} />
          </SaveForm>
        </Card>
      </Kept>
      {!kept && (
        <Removal
          room="fields"
          action={removeField}
          fields={{ field: field.name }}
          text={text('fields.removeWhat', { label: field.label, people })}
        />
      )}
    </AdminPage>
  );
}
