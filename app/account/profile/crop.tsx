import { pageRequest } from '#lib/http/next.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';

/** Where the user crops a chosen picture (public/crop.js); hidden until one is chosen. */
export async function Crop({ locale }: { locale: Locale }) {
  const text = textIn(locale);
  const request = await pageRequest();
  return (
    <div hidden data-crop className="grid justify-items-start gap-3 [&[hidden]]:hidden">
      <canvas
        width={512}
        height={512}
        tabIndex={0}
        role="img"
        aria-label={text('picture.crop')}
        className="size-48 cursor-move touch-none rounded-full border border-line-strong"
      />
      <label className="grid gap-1 text-sm">
        {text('picture.zoom')}
        <input type="range" min="1" max="4" step="0.01" className="w-48" />
      </label>
      <p className="text-sm text-ink-soft">{text('picture.cropHint')}</p>
      <script async src="/crop.js" nonce={request.header('x-nonce')} />
    </div>
  );
}
