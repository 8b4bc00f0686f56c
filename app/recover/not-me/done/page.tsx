import { issuerHost } from '#lib/http/next.ts';
import { textIn } from '#lib/messages/text.ts';
import { pageLocale } from '../../../locale.ts';
import { MessageView } from '../../../ui/message.tsx';

/** The address of the account was changed since, so that no new password is given here. */
export default async function NotMeDonePage() {
  const locale = await pageLocale();
  const text = textIn(locale);
  return (
    <MessageView
      locale={locale}
      kind="done"
      host={issuerHost()}
      title={text('notMe.doneTitle')}
      text={text('notMe.doneText')}
    />
  );
}
