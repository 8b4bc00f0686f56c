import { issuerHost } from '#lib/http/next.ts';
import { textIn } from '#lib/messages/text.ts';
import { pageLocale } from '../../locale.ts';
import { MessageView } from '../../ui/message.tsx';

export default async function DeviceOverPage() {
  const locale = await pageLocale();
  const text = textIn(locale);
  return (
    <MessageView
      locale={locale}
      host={issuerHost()}
      kind="waiting"
      title={text('device.overTitle')}
      text={text('device.overText')}
      action={{ href: '/device', label: text('device.another') }}
    />
  );
}
