import { pageRequest } from '#lib/http/next.ts';
import { slowWait, type Work } from '#lib/identity/proof-of-work.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';

type Props = {
  /** Null: none is due. */
  work: Work | null;
  /** The address of the one button that needs it; else the form does. */
  only?: string;
  locale: Locale;
};

/** Stands in a form that needs work of the browser (`public/work.js`), or patience without scripts. */
export async function WorkField({ work, only, locale }: Props) {
  if (!work) return null;
  const text = textIn(locale);
  const { text: challenge, ...terms } = work;
  const nonce = (await pageRequest()).header('x-nonce');
  return (
    <>
      <input
        type="hidden"
        name="work"
        value={challenge}
        data-work={JSON.stringify({ ...terms, only })}
      />
      <p
        role="status"
        className="text-sm text-ink-soft empty:hidden"
        data-working={text('work.working')}
      />
      {!only && (
        <noscript>
          <p className="text-sm text-ink-soft">
            {text('work.noScript', { seconds: String(slowWait / 1000) })}
          </p>
        </noscript>
      )}
      <script async src="/work.js" nonce={nonce} />
    </>
  );
}
