import { attributesOf, type Locale, languages, offeredLocales } from '#lib/messages/locales.ts';
import { pageText } from '../../locale.ts';
import { knownOption } from '../../params.ts';
import { TermsText } from '../../ui/terms-text.tsx';

/** The text of each language, as people read it. */
export async function TermsTexts({ texts }: { texts: Readonly<Record<string, string>> }) {
  const text = await pageText();
  return Object.entries(texts).map(([tag, said]) => {
    const locale: Locale | undefined = knownOption(offeredLocales, tag);
    return (
      <div key={tag} {...(locale && attributesOf(locale))}>
        <p className="text-sm font-semibold text-ink-soft">
          {locale ? languages[locale].name : text('words.anyLanguage')}
        </p>
        <TermsText texts={{ any: said }} locale={locale ?? text.locale} />
      </div>
    );
  });
}
