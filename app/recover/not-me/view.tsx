import { textIn } from '#lib/messages/text.ts';
import type { SignInFrom } from '#lib/store/links.ts';
import { Button } from '../../ui/button.tsx';
import { Gate } from '../../ui/gate.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { Moment } from '../../ui/moment.tsx';
import { rich } from '../../ui/rich.tsx';
import { UserText } from '../../ui/user-text.tsx';
import type { ScreenProps } from '../../ui/view-models.ts';

type NotMeProps = ScreenProps & {
  csrf: string;
  token: string;
  username: string;
  /** When the sign-in happened. */
  at: Date;
  /** Unknown for a mail of the previous release. */
  from: SignInFrom | undefined;
};

/** Asks whether a sign-in was someone else's, and says what will follow. */
export function NotMeView({ csrf, token, username, at, from, host, locale }: NotMeProps) {
  const text = textIn(locale);
  const title = text('notMe.title');
  const { device, address } = from ?? { device: '', address: '' };
  const account = <UserText className="font-semibold text-ink" text={username} />;
  return (
    <Gate title={title} host={host} locale={locale}>
      <h1 className="gh-title">{title}</h1>
      <p className="gh-text">
        {rich(
          'notMe.text',
          {
            account,
            time: <Moment at={at} locale={locale} />,
            device: <bdi>{device || text('mail.newDevice.unknown')}</bdi>,
            address: <bdi>{address && text('mail.newDevice.from', { address })}</bdi>,
          },
          locale,
        )}
      </p>
      <p className="gh-text mb-6!">{text('notMe.then')}</p>
      <form method="post" action="/recover/not-me/submit">
        <Hidden fields={{ csrf, token }} />
        <Button wide kind="danger">
          {text('notMe.submit')}
        </Button>
      </form>
      <p className="mt-4 text-center text-sm">
        <a className="gh-link inline-block py-1" href="/account">
          {text('notMe.wasMe')}
        </a>
      </p>
    </Gate>
  );
}
