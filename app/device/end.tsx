import { issuerHost } from '#lib/http/next.ts';
import { textIn } from '#lib/messages/text.ts';
import { pageLocale } from '../locale.ts';
import { MessageView } from '../ui/message.tsx';

const endings = {
  allowed: {
    kind: 'done',
    title: 'device.allowedTitle',
    says: 'device.allowedText',
    next: { href: '/account', label: 'device.account' },
  },
  denied: {
    kind: 'info',
    title: 'device.deniedTitle',
    says: 'device.deniedText',
    next: { href: '/account', label: 'device.account' },
  },
  over: {
    kind: 'waiting',
    title: 'device.overTitle',
    says: 'device.overText',
    next: { href: '/device', label: 'device.another' },
  },
} as const;

/** How the decision about a device ended: a message, and where to continue. */
export async function DeviceEnd({ how }: { how: keyof typeof endings }) {
  const locale = await pageLocale();
  const text = textIn(locale);
  const { kind, title, says, next } = endings[how];
  return (
    <MessageView
      locale={locale}
      host={issuerHost()}
      kind={kind}
      title={text(title)}
      text={text(says)}
      action={{ href: next.href, label: text(next.label) }}
    />
  );
}
