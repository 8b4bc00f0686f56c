import { languages, offeredLocales } from '#lib/messages/locales.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { readParams, type SearchParams } from '../../../params.ts';
import { CodeNameField, NewPage } from '../../ui/new-page.tsx';
import { addScope } from '../actions.ts';
import { ScopeFields } from '../scope-fields.tsx';

export default async function NewScopePage({ searchParams }: { searchParams: SearchParams }) {
  await guardPage('/admin/scopes/new');
  const text = await pageText();
  return (
    <NewPage room="scopes" list="/admin/scopes" action={addScope}>
      <CodeNameField label={text('scopes.name')} hint={text('scopes.nameHint')} maxLength={128} />
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
        at="/admin/scopes/new"
        typed={await readParams(searchParams)}
      />
    </NewPage>
  );
}
