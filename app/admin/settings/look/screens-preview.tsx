import type { ReactNode } from 'react';
import type { Brand } from '#lib/brand.ts';
import { attributesOf, type Locale } from '#lib/messages/locales.ts';
import { pageText } from '../../../locale.ts';
import { BrandMark } from '../../../ui/brand.tsx';
import { asTyped, type Look } from './look.ts';

type ScreensPreviewProps = {
  look: Look;
  brand: Brand;
  /** Each screen by the name of its page: its title, and the content of its card. */
  screens: Readonly<Record<string, { title: string; card: ReactNode }>>;
  /** What is below the card. */
  foot: ReactNode;
  /** The language of the screens, if it is not that of the page. */
  locale?: Locale;
  /** The address that it is brought from again, and the fields that it follows. */
  live?: Record<`data-${'live' | 'typed'}`, string>;
};

/**
 * Screens as people see them, for viewing only: at two widths, with the typed values.
 */
export async function ScreensPreview({
  look,
  brand,
  screens,
  foot,
  locale,
  live = asTyped,
}: ScreensPreviewProps) {
  const text = await pageText();
  const head = (
    <span className="gh-brand">
      <BrandMark brand={brand} />
      <span data-preview-name>{look.name || text('branding.ourName')}</span>
    </span>
  );
  return (
    <div id="preview" {...live} className="gh-accent gh-of-app @container grid gap-8">
      <link rel="stylesheet" href={`/branding/app-colours/${look.accent.slice(1)}`} />
      {Object.entries(screens).map(([screen, { title, card }]) => (
        <section key={screen} aria-labelledby={`preview-${screen}`}>
          <h3 id={`preview-${screen}`} className="mb-3 text-sm font-semibold">
            {title}
          </h3>
          <div className="flex flex-wrap items-start gap-5">
            {(['phone', 'computer'] as const).map((device) => (
              <figure key={device} className="grid max-w-full gap-1.5">
                <div
                  inert
                  aria-hidden="true"
                  className={frames[device]}
                  {...(locale && attributesOf(locale))}
                >
                  {device === 'computer' && <Arch />}
                  <div className={heads[device]}>{head}</div>
                  <div className={`gh-card ${device === 'phone' ? 'px-5! py-6!' : ''}`}>{card}</div>
                  <div className="mt-6 flex max-w-md flex-col items-center gap-2 pb-6 text-center text-sm text-ink-soft">
                    {foot}
                  </div>
                </div>
                <figcaption className="text-xs text-ink-soft">
                  {text(`branding.devices.${device}`)}
                </figcaption>
              </figure>
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}

const frame =
  'relative isolate flex flex-col items-center overflow-hidden rounded-3xl border border-line-strong bg-page px-4';
const frames = {
  phone: `${frame} w-[360px] [zoom:0.6]`,
  computer: `${frame} w-[1024px] [zoom:0.26] @md:[zoom:0.42] @2xl:[zoom:0.6]`,
} as const;
const heads = { phone: 'pt-7 pb-5', computer: 'pt-20 pb-7' } as const;

/** The arch shown in wide windows. */
function Arch() {
  return (
    <>
      <span className="absolute top-11 bottom-0 -inset-x-96 -z-10 mx-auto w-[41rem] rounded-t-[20.5rem] bg-gate" />
      <span className="absolute top-4 bottom-0 -inset-x-96 -z-10 mx-auto w-[44.5rem] rounded-t-[22.25rem] border border-b-0 border-line" />
    </>
  );
}
