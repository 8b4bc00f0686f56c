import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Explains that a change requires signing in again, with a link. */
export function SignInAgain({ href, locale }: { href: string; locale: Locale }) {
  const text = textIn(locale);
  return (
    <Notice kind="info" title={text('security.stale')} locale={locale}>
      <p>{text('security.staleText')}</p>
      <p className="mt-3">
        <ButtonLink kind="secondary" size="small" href={href}>
          {text('security.signInAgain')}
        </ButtonLink>
      </p>
    </Notice>
  );
}
