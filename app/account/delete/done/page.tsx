import { issuerHost } from '#lib/http/next.ts';
import { textIn } from '#lib/messages/text.ts';
import { pageLocale } from '../../../locale.ts';
import { MessageView } from '../../../ui/message.tsx';

export default async function DeletedPage() {
  const locale = await pageLocale();
  const text = textIn(locale);
  return (
    <MessageView
      locale={locale}
      kind="done"
      host={issuerHost()}
      title={text('deletion.doneTitle')}
      text={text('deletion.doneText')}
    />
  );
}
