import { fieldWords as words } from '#lib/messages/admin/fields.ts';
import { requireAdmin } from '../../guards.ts';
import { Card } from '../../ui/card.tsx';
import { addField } from '../fields/actions.ts';
import { FieldForm } from '../fields/field-form.tsx';
import { AdminPage } from '../ui/admin-page.tsx';
import { ActionForm } from '../ui/forms/action-form.tsx';
import { TextField } from '../ui/forms/fields.tsx';
import { Submit } from '../ui/forms/submit.tsx';

export default async function NewFieldPage() {
  await requireAdmin();
  return (
    <AdminPage
      title={words.newTitle}
      text={words.newLead}
      up={{ href: '/admin/fields', label: words.title }}
      width="narrow"
    >
      <Card>
        <ActionForm action={addField}>
          <TextField
            name="name"
            label={words.name}
            hint={words.nameHint}
            required
            maxLength={100}
            spellCheck={false}
            autoCapitalize="none"
            className="font-mono"
          />
          <FieldForm />
          <div>
            <Submit>{words.create}</Submit>
          </div>
        </ActionForm>
      </Card>
    </AdminPage>
  );
}
