import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { rich } from '../../ui/rich.tsx';
import { stripBidi, UserText } from '../../ui/user-text.tsx';

type RemoveAppProps = {
  clientId: string;
  name: string;
  /** Other apps act for the user through this one. */
  acting: boolean;
  csrf: string;
  className?: string;
  locale: Locale;
};

export function RemoveApp({ clientId, name, acting, csrf, className, locale }: RemoveAppProps) {
  const text = textIn(locale);
  return (
    <Confirm
      className={className}
      label={text('home.remove')}
      accessibleLabel={text('home.removeLabel', { app: stripBidi(name) })}
      text={
        <>
          {rich(
            'home.removeText',
            { app: <UserText className="font-semibold" text={name} /> },
            locale,
          )}
          {acting && ` ${text('agents.stopsToo')}`}
        </>
      }
    >
      <form method="post" action="/account/apps/submit">
        <Hidden fields={{ csrf, client_id: clientId }} />
        <Button kind="danger" size="small">
          {text('home.removeConfirm')}
        </Button>
      </form>
    </Confirm>
  );
}
