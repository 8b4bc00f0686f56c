import type { Locale } from '#lib/messages/locales.ts';
import { Notice } from './notice.tsx';

/** Why a form is shown again, as an alert; nothing the first time. */
export function ErrorNotice({ error, locale }: { error: string | undefined; locale: Locale }) {
  if (!error) return null;
  return (
    <Notice kind="error" locale={locale}>
      {error}
    </Notice>
  );
}
