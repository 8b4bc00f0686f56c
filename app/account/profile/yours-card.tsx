import { activityDays } from '#lib/management/user/activity.ts';
import type { MessageKey } from '#lib/messages/keys.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Card } from '../../ui/card.tsx';
import { Icon, type IconName } from '../../ui/line-icon.tsx';

type Line = { href: string; icon: IconName; title: MessageKey; hint: MessageKey };

const pages = [
  { href: '/account/activity', icon: 'clock', title: 'activity.title', hint: 'yours.activity' },
  { href: '/account/your-data', icon: 'download', title: 'data.title', hint: 'yours.data' },
  { href: '/account/delete', icon: 'trash', title: 'deletion.title', hint: 'yours.delete' },
] as const satisfies readonly Line[];

/** What users can do with their account as a whole. */
export function YoursCard({ locale }: { locale: Locale }) {
  const text = textIn(locale);
  return (
    <Card id="yours" title={text('yours.title')}>
      <ul className="divide-y divide-line">
        {pages.map(({ href, icon, title, hint }) => (
          <li key={href} className="relative flex items-center gap-4 py-3.5 first:pt-0 last:pb-0">
            <Icon name={icon} className="size-5 text-accent" />
            <div className="min-w-0 flex-1">
              <a className="font-semibold after:absolute after:inset-0 hover:underline" href={href}>
                {text(title)}
              </a>
              <p className="text-sm text-ink-soft">{text(hint, { days: String(activityDays) })}</p>
            </div>
            <Icon name="chevron" className="size-4 text-ink-soft rtl:rotate-180" />
          </li>
        ))}
      </ul>
    </Card>
  );
}
