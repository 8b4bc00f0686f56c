import { scopeWords as words } from '#lib/messages/admin/scopes.ts';
import { languages, offeredLocales } from '#lib/messages/locales.ts';
import { requireAdmin } from '../../guards.ts';
import { addScope } from '../scopes/actions.ts';
import { ScopeFields } from '../scopes/scope-fields.tsx';
import { CodeNameField, NewPage } from '../ui/new-page.tsx';

export default async function NewScopePage() {
  await requireAdmin();
  return (
    <NewPage words={words} list="/admin/scopes" action={addScope}>
      <CodeNameField label={words.name} hint={words.nameHint} maxLength={128} />
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
    </NewPage>
  );
}
