import { wordLanguages } from '#lib/management/branding/words.ts';
import { languages, offeredLocales } from '#lib/messages/locales.ts';
import { anyLanguage } from '#lib/own-words.ts';
import { countAsked } from '#lib/store/terms.ts';
import { guardPage } from '../../../guards.ts';
import { pageText } from '../../../locale.ts';
import { readParams, type SearchParams } from '../../../params.ts';
import { AreaField, TextField } from '../../ui/forms/fields.tsx';
import { NewPage } from '../../ui/new-page.tsx';
import { Translations } from '../../ui/translations.tsx';
import { addTerms } from '../actions.ts';
import { TermsTexts } from '../texts.tsx';

/** The form for the next version, with what people will read and how many are asked. */
export default async function NewTermsPage({ searchParams }: { searchParams: SearchParams }) {
  await guardPage('/admin/terms/new');
  const text = await pageText();
  const typed = await readParams(searchParams);
  const people = await countAsked(typed.client_id || null);
  return (
    <NewPage room="termsOfUse" list="/admin/terms" action={addTerms}>
      <div id="typed" className="grid gap-4">
        <TextField
          name="name"
          label={text('termsOfUse.name')}
          hint={text('termsOfUse.nameHint')}
          required
          asTyped
          maxLength={40}
        />
        <AreaField
          name={`texts.${anyLanguage}`}
          label={text('termsOfUse.text')}
          hint={text('termsOfUse.textHint')}
          required
          rows={10}
        />
        <Translations
          title={text('scopes.translations')}
          hint={text('scopes.translationsHint')}
          texts={offeredLocales.map((tag) => ({
            field: `texts.${tag}`,
            tag,
            name: languages[tag].name,
            stored: undefined,
          }))}
          rows={6}
        />
        <TextField
          name="from"
          type="date"
          label={text('termsOfUse.from')}
          hint={text('termsOfUse.fromHint')}
          optional
        />
        <TextField
          name="days"
          inputMode="numeric"
          defaultValue="14"
          label={text('termsOfUse.days')}
          hint={text('termsOfUse.daysHint')}
          required
        />
        <TextField
          name="client_id"
          label={text('termsOfUse.client')}
          hint={text('termsOfUse.clientHint')}
          defaultValue={typed.client_id}
          optional
          asTyped
        />
      </div>
      <div
        id="preview"
        data-live="/admin/terms/new"
        data-typed="#typed textarea, #typed [name=client_id]"
        className="rounded-xl border border-line bg-sunken px-4 py-3"
      >
        <p className="mb-2 font-semibold">{text('termsOfUse.plan', { people })}</p>
        <TermsTexts texts={previewed(typed)} />
      </div>
    </NewPage>
  );
}

const previewed = (typed: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    wordLanguages.flatMap((tag) => {
      const said = typed[`texts.${tag}`]?.trim();
      return said ? [[tag, said]] : [];
    }),
  );
