import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Icon, type IconName } from './line-icon.tsx';
import { rich } from './rich.tsx';
import { UserText } from './user-text.tsx';

/** The redirect destination and what is notable about it. */
export type DestinationFace = {
  /** The host with its port, or the private-use scheme. */
  label: string;
  unregistered?: boolean;
  /** Plain http to another device. */
  insecure?: boolean;
  /** A private-use scheme or loopback: an app on the user's own device. */
  device?: boolean;
  /** The app registered itself. */
  unverified?: boolean;
};

/** Names the redirect destination, with a warning if it is risky. */
export function Destination({ to, locale }: { to: DestinationFace; locale: Locale }) {
  const text = textIn(locale);
  const risky = to.unregistered || to.insecure || (to.unverified && to.device);
  const box = risky
    ? 'border-warn-line bg-warn-tint'
    : to.device
      ? 'border-info-line bg-info-tint'
      : 'border-line bg-sunken';
  const tone = risky ? 'text-warn' : to.device ? 'text-info' : 'text-ink-soft';
  const icon: IconName = to.insecure
    ? 'lockOpen'
    : risky
      ? 'alert'
      : to.device
        ? 'device'
        : 'arrowBack';
  return (
    <div className={`flex gap-3 rounded-xl border px-4 py-3 text-sm ${box}`}>
      <Icon name={icon} className={`mt-0.5 size-5 ${tone}`} />
      <div className="grid min-w-0 gap-2">
        <p>
          {text(to.device ? 'consent.returnsDevice' : 'consent.returns')}{' '}
          <UserText className="font-semibold" text={to.label} />
        </p>
        {to.unregistered && (
          <Remark title={text('consent.unregisteredTitle')}>
            {rich(
              'consent.unregisteredText',
              { host: <UserText className="font-semibold" text={to.label} /> },
              locale,
            )}
          </Remark>
        )}
        {to.insecure && (
          <Remark title={text('consent.insecureTitle')}>{text('consent.insecureText')}</Remark>
        )}
        {to.device && (
          <Remark
            title={text(to.unverified ? 'consent.unverifiedDeviceTitle' : 'consent.deviceTitle')}
          >
            {text(to.unverified ? 'consent.unverifiedDeviceText' : 'consent.deviceText')}
          </Remark>
        )}
      </div>
    </div>
  );
}

function Remark({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <p className="font-semibold">{title}</p>
      <p>{children}</p>
    </div>
  );
}
