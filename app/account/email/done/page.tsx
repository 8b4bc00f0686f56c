import { issuerHost } from '#lib/http/next.ts';
import { textIn } from '#lib/messages/text.ts';
import { MessageView } from '../../../ui/views/message.tsx';

export default function EmailDonePage() {
  const text = textIn();
  return (
    <MessageView
      kind="done"
      host={issuerHost()}
      title={text('emailConfirm.doneTitle')}
      text={text('emailConfirm.doneText')}
      action={{ href: '/account', label: text('emailConfirm.account') }}
    />
  );
}
