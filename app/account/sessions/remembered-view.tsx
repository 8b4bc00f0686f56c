import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Day } from '../../ui/day.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { rich } from '../../ui/rich.tsx';
import { Ago } from '../ui/ago.tsx';
import { type DeviceFace, nameOf } from './view.tsx';

type RememberedFace = DeviceFace & {
  id: string;
  lastUsedAt: string;
  createdAt: string;
  current: boolean;
};

type RememberedProps = { csrf: string; devices: readonly RememberedFace[]; locale: Locale };

/**
 * The devices on which the user is not asked for a second factor, each with a button to forget it.
 */
export function RememberedView({ csrf, devices, locale }: RememberedProps) {
  const text = textIn(locale);
  return (
    <Card title={text('remembered.title')} text={text('remembered.text')}>
      <ul className="divide-y divide-line">
        {devices.map((device) => (
          <li
            key={device.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-4 first:pt-0 last:pb-0"
          >
            <div className="min-w-0 flex-1 basis-60">
              <p className="font-semibold">
                {nameOf(device, locale)}{' '}
                {device.current && <Badge tone="accent">{text('sessions.current')}</Badge>}
              </p>
              <p className="text-sm text-ink-soft">
                {rich(
                  'remembered.used',
                  { date: <Ago at={device.lastUsedAt} locale={locale} /> },
                  locale,
                )}
                {' · '}
                {rich(
                  'remembered.since',
                  { date: <Day at={device.createdAt} locale={locale} /> },
                  locale,
                )}
              </p>
            </div>
            <form method="post" action="/account/sessions/submit">
              <Hidden fields={{ csrf, device: device.id }} />
              <Button
                kind="secondary"
                size="small"
                aria-label={text('remembered.forgetLabel', { device: nameOf(device, locale) })}
              >
                {text('remembered.forget')}
              </Button>
            </form>
          </li>
        ))}
      </ul>
      {devices.length > 1 && (
        <form method="post" action="/account/sessions/submit" className="mt-5">
          <Hidden fields={{ csrf, devices: 'all' }} />
          <Button kind="secondary" size="small">
            {text('remembered.forgetAll')}
          </Button>
        </form>
      )}
    </Card>
  );
}
