import { issuerHost } from '#lib/http/next.ts';
import { textIn } from '#lib/messages/text.ts';
import { pageLocale } from '../../locale.ts';
import { MessageView } from '../../ui/message.tsx';

export default async function DeviceAllowedPage() {
  const locale = await pageLocale();
  const text = textIn(locale);
  return (
    <MessageView
      locale={locale}
      host={issuerHost()}
      kind="done"
      title={text('device.allowedTitle')}
      text={text('device.allowedText')}
      action={{ href: '/account', label: text('device.account') }}
    />
  );
}
