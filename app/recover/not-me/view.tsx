import { textIn } from '#lib/messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Day } from '../../ui/day.tsx';
import { Gate } from '../../ui/gate.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { rich } from '../../ui/rich.tsx';
import { UserText } from '../../ui/user-text.tsx';
import type { ScreenProps } from '../../ui/view-models.ts';

type NotMeProps = ScreenProps & {
  csrf: string;
  token: string;
  username: string;
  /** When the sign-in happened. */
  since: string;
};

/** Asks whether a sign-in was someone else's, and says what will follow. */
export function NotMeView({ csrf, token, username, since, host, locale }: NotMeProps) {
  const text = textIn(locale);
  const title = text('notMe.title');
  const account = <UserText className="font-semibold text-ink" text={username} />;
  return (
    <Gate title={title} host={host} locale={locale}>
      <h1 className="gh-title">{title}</h1>
      <p className="gh-text">
        {rich('notMe.text', { account, date: <Day at={since} locale={locale} /> }, locale)}
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
