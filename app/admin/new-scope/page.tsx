import { scopeWords as words } from '#lib/messages/admin/scopes.ts';
import { languages, offeredLocales } from '#lib/messages/locales.ts';
import { requireAdmin } from '../../guards.ts';
import { Card } from '../../ui/card.tsx';
import { addScope } from '../scopes/actions.ts';
import { ScopeFields } from '../scopes/scope-fields.tsx';
import { AdminPage } from '../ui/admin-page.tsx';
import { ActionForm } from '../ui/forms/action-form.tsx';
import { TextField } from '../ui/forms/fields.tsx';
import { Submit } from '../ui/forms/submit.tsx';

export default async function NewScopePage() {
  await requireAdmin();
  return (
    <AdminPage
      title={words.newTitle}
      text={words.newLead}
      up={{ href: '/admin/scopes', label: words.title }}
      width="narrow"
    >
      <Card>
        <ActionForm action={addScope}>
          <TextField
            name="name"
            label={words.name}
            hint={words.nameHint}
            required
            maxLength={128}
            spellCheck={false}
            autoCapitalize="none"
            className="font-mono"
          />
          <ScopeFields
            scope={{
              name: '',
              description: '',
              translations: {},
              isDefault: false,
              sensitive: false,
              builtIn: false,
            }}
            languages={offeredLocales.map((tag) => [tag, languages[tag].name] as const)}
          />
          <div>
            <Submit>{words.create}</Submit>
          </div>
        </ActionForm>
      </Card>
    </AdminPage>
  );
}
