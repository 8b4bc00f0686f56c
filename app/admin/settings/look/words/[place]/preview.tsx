import type { Brand } from '#lib/brand.ts';
import { issuerHost } from '#lib/http/next.ts';
import { canSendMail } from '#lib/mail/post.ts';
import { sampleLetter } from '#lib/mail/samples.ts';
import { subjectLineOf, writeText } from '#lib/mail/write.ts';
import { attributesOf, type Locale } from '#lib/messages/locales.ts';
import { isMailPlace, type Place, type Texts } from '#lib/own-words.ts';
import { pageText } from '../../../../../locale.ts';
import { pageWords } from '../../../../../ui/own-words.tsx';
import { UserText } from '../../../../../ui/user-text.tsx';
import { lookOf } from '../../look.ts';
import { ConsentSample, FootSample, PlainSample, SignInSample } from '../../samples.tsx';
import { ScreensPreview } from '../../screens-preview.tsx';

type Props = {
  place: Place;
  brand: Brand;
  locale: Locale;
  texts: Texts;
  /** As in `ScreensPreview`. */
  live: Record<'data-live' | 'data-typed', string>;
};

/** A page or letter with these texts. */
export async function WordsPreview({ place, brand, locale, texts, live }: Props) {
  const text = await pageText();
  if (isMailPlace(place)) {
    const sheet = sampleLetter(place, { to: '', locale, now: new Date() }, texts);
    return (
      <div id="preview" {...live} {...attributesOf(locale)} className="grid gap-3">
        <p className="font-semibold">
          <UserText text={subjectLineOf(sheet)} />
        </p>
        <pre className="rounded-xl border border-line bg-sunken px-4 py-3 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
          {writeText(sheet)}
        </pre>
      </div>
    );
  }
  const isFooter = place === 'footer';
  const words = isFooter ? pageWords('sign-in', locale) : pageWords(place, locale, texts);
  const sample = { words, locale };
  const card =
    place === 'consent' ? (
      <ConsentSample {...sample} />
    ) : place === 'sign-in' || isFooter ? (
      <SignInSample recover={canSendMail()} {...sample} />
    ) : (
      <PlainSample place={place} {...sample} />
    );
  return (
    <ScreensPreview
      look={lookOf(brand, {})}
      brand={brand}
      screens={{ [place]: { title: text(`words.places.${place}`), card } }}
      foot={<FootSample host={issuerHost()} locale={locale} texts={isFooter ? texts : undefined} />}
      locale={locale}
      live={live}
    />
  );
}
