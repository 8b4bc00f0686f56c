import { pageRequest } from '#lib/http/next.ts';
import { slowWait, type Work } from '#lib/identity/proof-of-work.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';

type Props = {
  /** Null if no work is required. */
  work: Work | null;
  /** The address of the one button that needs the work; if not set, the whole form does. */
  only?: string | undefined;
  /** What people without scripts read, if not that they have to wait on this page. */
  noScript?: string;
  locale: Locale;
};

/** Work of the browser (`public/work.js`), or a wait if there are no scripts. */
export async function WorkField({ work, only, noScript, locale }: Props) {
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
            {noScript ?? text('work.noScript', { seconds: String(slowWait / 1000) })}
          </p>
        </noscript>
      )}
      <script async src="/work.js" nonce={nonce} />
    </>
  );
}
