import { textIn } from '#lib/messages/text.ts';
import { AccountLine, switchClass } from '../consent/account-switch.tsx';
import type { AccountSummary, ScreenProps } from '../ui/view-models.ts';

/** The account that was chosen for a request. */
export type AtHand = {
  account: AccountSummary;
  otherHref: string;
};

type Props = Pick<ScreenProps, 'locale'> & { atHand: AtHand };

/** The chosen account. The hidden username is for the form and for password managers. */
export function ChosenAccount({ atHand, locale }: Props) {
  return (
    <>
      <AccountLine account={atHand.account} locale={locale}>
        <a className={switchClass} href={atHand.otherHref}>
          {textIn(locale)('noAccess.switch')}
        </a>
      </AccountLine>
      <input
        name="username"
        defaultValue={atHand.account.username}
        autoComplete="username"
        readOnly
        hidden
      />
    </>
  );
}
