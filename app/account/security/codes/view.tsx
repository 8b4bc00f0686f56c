import { textIn } from '#lib/messages/text.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Gate } from '../../../ui/gate.tsx';
import { Hidden } from '../../../ui/hidden.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { ScreenProps } from '../../../ui/view-models.ts';

type RecoveryCodesProps = ScreenProps & {
  csrf: string;
  flow?: string;
  /** The page to continue to, if not the account. */
  back?: string;
  codes: readonly string[];
  downloadHref: string;
};

export function RecoveryCodesView({
  csrf,
  flow,
  back,
  codes,
  downloadHref,
  host,
  locale,
}: RecoveryCodesProps) {
  const text = textIn(locale);
  return (
    <Gate title={text('codes.title')} host={host} locale={locale}>
      <h1 className="gh-title">{text('codes.title')}</h1>
      <p className="mt-1 text-ink-soft">{text('codes.text')}</p>
      <ol
        aria-label={text('codes.list')}
        className="my-5 grid list-none gap-2 rounded-xl border border-line bg-sunken p-4 text-center font-mono whitespace-nowrap"
      >
        {codes.map((code) => (
          <li key={code}>
            <bdi>{code}</bdi>
          </li>
        ))}
      </ol>
      <Notice kind="warning" locale={locale}>
        {text('codes.warning')}
      </Notice>
      <div className="mt-6 grid gap-3">
        <ButtonLink kind="secondary" wide href={downloadHref} download>
          {text('codes.download')}
        </ButtonLink>
        <form method="post" action="/account/security/codes/kept">
          <Hidden fields={{ csrf, flow, back }} />
          <Button wide>{text('codes.done')}</Button>
        </form>
      </div>
    </Gate>
  );
}
