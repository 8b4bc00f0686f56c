import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { piecesOf } from '#lib/own-words.ts';
import { languageShown } from '#lib/people/terms.ts';
import { Checkbox } from './checkbox.tsx';
import { Hidden } from './hidden.tsx';
import { Pieces } from './own-words.tsx';

type TermsTextProps = { texts: Readonly<Record<string, string>>; locale: Locale };

/** The text of terms of use in its reader's language, in a box that scrolls. */
export function TermsText({ texts, locale }: TermsTextProps) {
  const tag = languageShown(texts, locale);
  return (
    <section
      className="gh-terms"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={textIn(locale)('terms.title')}
      dir="auto"
    >
      <Pieces pieces={piecesOf(texts[tag] ?? '')} />
    </section>
  );
}

type TermsFieldProps = {
  /** Null: nothing is asked. */
  terms: { id: string; texts: Readonly<Record<string, string>> } | null;
  error?: string;
  locale: Locale;
};

/** The terms that somebody agrees to who creates an account. */
export function TermsField({ terms, error, locale }: TermsFieldProps) {
  if (!terms) return null;
  const text = textIn(locale);
  return (
    <div>
      <Hidden fields={{ terms: terms.id, language: languageShown(terms.texts, locale) }} />
      <TermsText texts={terms.texts} locale={locale} />
      <Checkbox name="agreed" required label={text('terms.checkbox')} />
      {error && <p className="mt-1 text-sm text-danger">{error}</p>}
    </div>
  );
}
