import { textIn } from '#lib/messages/text.ts';
import { pageLocale } from './locale.ts';
import { MessageView } from './ui/message.tsx';

export default async function NotFound() {
  const locale = await pageLocale();
  const text = textIn(locale);
  return (
    <MessageView
      locale={locale}
      kind="info"
      title={text('notFound.title')}
      text={text('notFound.text')}
      action={{ href: '/', label: text('error.home') }}
    />
  );
}
