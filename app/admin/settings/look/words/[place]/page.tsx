import { notFound } from 'next/navigation';
import { canSendMail } from '#lib/mail/post.ts';
import { showBranding } from '#lib/management/branding/branding.ts';
import { versionOfWords } from '#lib/management/branding/word-acts.ts';
import { soundTexts, wordLanguages } from '#lib/management/branding/words.ts';
import { isKept } from '#lib/management/kept.ts';
import { offeredLocales } from '#lib/messages/locales.ts';
import type { Text } from '#lib/messages/text.ts';
import {
  anyLanguage,
  isMailPlace,
  ownTexts,
  type Place,
  parts,
  placeNames,
  placeRow,
  type Texts,
} from '#lib/own-words.ts';
import { guardPage } from '../../../../../guards.ts';
import { pageText } from '../../../../../locale.ts';
import { knownOption, readParams, type SearchParams } from '../../../../../params.ts';
import { Button } from '../../../../../ui/button.tsx';
import { Card } from '../../../../../ui/card.tsx';
import { Select } from '../../../../../ui/select.tsx';
import { AdminPage } from '../../../../ui/admin-page.tsx';
import { Confirmed } from '../../../../ui/forms/confirmed.tsx';
import { AreaField, TextField } from '../../../../ui/forms/fields.tsx';
import { SaveForm } from '../../../../ui/forms/save-form.tsx';
import { Kept } from '../../../../ui/kept.tsx';
import { sendTestMail } from '../../../general/actions.ts';
import { resetWords, saveWords } from '../actions.ts';
import { languageName, wordsPage } from '../places.ts';
import { WordsPreview } from './preview.tsx';

type Props = { params: Promise<{ place: string }>; searchParams: SearchParams };

/** The texts of one place in one language, beside what people see. */
export default async function WordsOfPlacePage({ params, searchParams }: Props) {
  await guardPage('/admin/settings/look/words/[place]');
  const text = await pageText();
  const place = knownOption(placeNames, (await params).place) ?? notFound();
  const query = await readParams(searchParams);
  const language = knownOption(wordLanguages, query.language) ?? anyLanguage;
  const locale = knownOption(offeredLocales, language) ?? text.locale;
  const { brand } = await showBranding();
  const stored: Texts = brand.words[place]?.[language] ?? {};
  const typed = placeRow(place).parts.filter((part) => query[part] !== undefined);
  const shown = typed.length > 0 ? query : stored;
  const kept = await isKept('branding', '');
  const fields = { place, language };
  return (
    <AdminPage
      title={text(`words.places.${place}`)}
      text={text(placeRow(place).follows ? 'words.follows' : 'words.marks')}
      up={{ href: '/admin/settings/look/words', label: text('words.title') }}
      kept={kept && 'branding'}
    >
      <LanguageChoice text={text} language={language} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
        <Kept kept={kept}>
          <Card id="own">
            <SaveForm
              action={saveWords}
              fields={fields}
              seen={versionOfWords(place, language, stored)}
              save={text('branding.save')}
            >
              <Fields place={place} language={language} stored={stored} />
            </SaveForm>
            {Object.keys(stored).length > 0 && (
              <Confirmed
                className="mt-4"
                action={resetWords}
                fields={fields}
                label={text('words.reset')}
                text={text('words.resetText', { language: languageName(text, language) })}
                confirm={text('words.resetConfirm')}
              />
            )}
          </Card>
        </Kept>
        <Card id="seen" title={text('branding.screensTitle')} text={text('words.previewText')}>
          <WordsPreview
            place={place}
            brand={brand}
            locale={locale}
            texts={{ ...ownTexts(place, locale), ...stored, ...soundOnly(place, shown) }}
            live={{
              'data-live': wordsPage(place, language),
              'data-typed': '#own input:not([type=hidden]), #own textarea',
            }}
          />
          {isMailPlace(place) && canSendMail() && (
            <SaveForm
              action={sendTestMail}
              fields={{ ...fields, from: 'words' }}
              className="mt-5 grid gap-3"
              kind="secondary"
              size="small"
              save={text('testMail.test')}
            />
          )}
        </Card>
      </div>
    </AdminPage>
  );
}

/** An emptied field is shown as empty. */
function soundOnly(place: Place, typed: Readonly<Record<string, string>>): Texts {
  const said = placeRow(place).parts.flatMap((part) =>
    typed[part] === undefined ? [] : [[part, typed[part]]],
  );
  const emptied = said.filter(([, text]) => text === '');
  return { ...Object.fromEntries(emptied), ...soundTexts(place, Object.fromEntries(said)) };
}

function LanguageChoice({ text, language }: { text: Text; language: string }) {
  return (
    <form className="flex max-w-xl flex-wrap items-end gap-3">
      <div className="grid grow gap-1.5">
        <label className="text-sm font-semibold" htmlFor="language">
          {text('words.language')}
        </label>
        <Select
          id="language"
          name="language"
          defaultValue={language}
          options={wordLanguages.map((tag) => ({ value: tag, label: languageName(text, tag) }))}
        />
      </div>
      <Button kind="secondary">{text('words.show')}</Button>
    </form>
  );
}

type FieldsProps = { place: Place; language: string; stored: Texts };

async function Fields({ place, language, stored }: FieldsProps) {
  const text = await pageText();
  const { holes, needs = {}, parts: said } = placeRow(place);
  return said.map((part) => {
    const { most, isMarked } = parts[part];
    const names = (needs[part] ?? []).map((name) => `{${name}}`).join(', ');
    const lang = language === anyLanguage ? undefined : language;
    const hints = [
      text(`words.hints.${part}`),
      holes.length > 0 &&
        text('words.holes', { holes: holes.map((each) => `{${each}}`).join(' ') }),
      names && text('words.needs', { holes: names }),
    ];
    const field = {
      name: part,
      label: text(`words.parts.${part}`),
      hint: hints.filter(Boolean).join(' '),
      optional: true,
      maxLength: most,
      lang,
      dir: 'auto',
      defaultValue: stored[part],
    };
    return isMarked ? (
      <AreaField key={part} rows={4} {...field} />
    ) : (
      <TextField key={part} {...field} />
    );
  });
}
