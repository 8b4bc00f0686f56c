import { textIn } from '#lib/messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Gate } from '../../ui/gate.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { rich } from '../../ui/rich.tsx';
import { UserText } from '../../ui/user-text.tsx';
import type { ScreenProps } from '../../ui/view-models.ts';

type LeavingProps = ScreenProps & {
  csrf: string;
  flow?: string;
  back?: string;
  username: string;
  /** When the account will be deleted. */
  due: Date;
};

/** Says when the account will be deleted, with a button to keep it. */
export function LeavingView({ csrf, flow, back, username, due, host, locale }: LeavingProps) {
  const text = textIn(locale);
  const title = text('leaving.title');
  return (
    <Gate title={title} host={host} locale={locale}>
      <h1 className="gh-title">{title}</h1>
      <p className="gh-text mb-6!">
        {rich(
          'leaving.text',
          {
            username: <UserText className="font-semibold text-ink" text={username} />,
            date: (
              <strong className="font-semibold text-ink">
                <LocalTime at={due} locale={locale} />
              </strong>
            ),
          },
          locale,
        )}
      </p>
      <form method="post" action="/login/leaving/submit" className="grid gap-3">
        <Hidden fields={{ csrf, flow, back }} />
        <Button wide name="keep" value="yes">
          {text('deletion.keep')}
        </Button>
        <Button wide kind="secondary">
          {text('leaving.goOn')}
        </Button>
      </form>
    </Gate>
  );
}
