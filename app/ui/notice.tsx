import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { NoticeBox, type NoticeBoxProps } from './notice-box.tsx';

/** A message in a box, in a person's language. Scripts in the browser use `NoticeBox`: messages stay on the server. */
export function Notice({ locale, ...rest }: Omit<NoticeBoxProps, 'word'> & { locale: Locale }) {
  return <NoticeBox {...rest} word={textIn(locale)(`notice.${rest.kind}`)} />;
}
