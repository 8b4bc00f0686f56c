import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { NoticeBox, type NoticeBoxProps } from './notice-box.tsx';

/** A localised message box. Client components use `NoticeBox`: message files stay on the server. */
export function Notice({ locale, ...rest }: Omit<NoticeBoxProps, 'word'> & { locale: Locale }) {
  return <NoticeBox {...rest} word={textIn(locale)(`notice.${rest.kind}`)} />;
}
