import { textIn } from '#lib/messages/text.ts';
import { AccountLine, switchClass } from '../consent/account-switch.tsx';
import type { AccountSummary, ScreenProps } from '../ui/view-models.ts';

export type AccountToShow = {
  account: AccountSummary;
  otherHref: string;
};

type Props = Pick<ScreenProps, 'locale'> & { chosenAccount: AccountToShow };

/** The chosen account. The hidden username is for the form and for password managers. */
export function ChosenAccount({ chosenAccount, locale }: Props) {
  return (
    <>
      <AccountLine account={chosenAccount.account} locale={locale}>
        <a className={switchClass} href={chosenAccount.otherHref}>
          {textIn(locale)('noAccess.switch')}
        </a>
      </AccountLine>
      <input
        name="username"
        defaultValue={chosenAccount.account.username}
        autoComplete="username"
        readOnly
        hidden
      />
    </>
  );
}
