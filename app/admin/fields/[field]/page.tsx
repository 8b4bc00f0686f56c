import { decoded } from '#lib/http/decoded.ts';
import {
  countOfField,
  showField,
  type UserField,
  versionOfField,
} from '#lib/management/field/user-fields.ts';
import { isKept } from '#lib/management/kept.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { orNotFound } from '../../../or-not-found.ts';
import { Card } from '../../../ui/card.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { UserText } from '../../../ui/user-text.tsx';
import { AdminPage } from '../../ui/admin-page.tsx';
import { ActionForm } from '../../ui/forms/action-form.tsx';
import { Seen } from '../../ui/forms/seen.tsx';
import { Submit } from '../../ui/forms/submit.tsx';
import { Kept } from '../../ui/kept.tsx';
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
          <ActionForm action={saveField}>
            <Hidden fields={{ field: field.name }} />
            <Seen value={versionOfField(field)} />
            <FieldForm field={field} used={people > 0} />
            <div>
              <Submit>{text('fields.save')}</Submit>
            </div>
          </ActionForm>
        </Card>
      </Kept>
      {!kept && <Removal field={field} people={people} />}
    </AdminPage>
  );
}

async function Removal({ field, people }: { field: UserField; people: number }) {
  const text = await pageText();
  return (
    <Card id="remove" title={text('fields.remove')} text={text('fields.removeText')}>
      <ActionForm action={removeField} className="grid gap-3">
        <Hidden fields={{ field: field.name }} />
        <Confirm
          label={text('fields.removeButton')}
          text={text('fields.removeWhat', { label: field.label, people })}
        >
          <Submit kind="danger" size="small">
            {text('fields.removeConfirm')}
          </Submit>
        </Confirm>
      </ActionForm>
    </Card>
  );
}
