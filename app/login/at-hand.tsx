import { textIn } from '#lib/messages/text.ts';
import { AccountLine, switchClass } from '../consent/account-switch.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { rich } from '../ui/rich.tsx';
import { UserText } from '../ui/user-text.tsx';
import type { AccountSummary, ScreenProps } from '../ui/view-models.ts';
import { Divider } from './divider.tsx';

/** The account that this browser is signed in to, for a request that lets people choose. */
export type AtHand = {
  account: AccountSummary;
  /** The form is for this account. */
  chosen: boolean;
  continueHref: string;
  otherHref: string;
};

type Props = Pick<ScreenProps, 'locale'> & { atHand: AtHand };

/** The account to choose, above the form for another one. */
export function AccountToChoose({ atHand, locale }: Props) {
  const { account } = atHand;
  return (
    <>
      <div className="grid grid-cols-1 gap-3">
        <AccountLine account={account} locale={locale} />
        <ButtonLink kind="secondary" wide href={atHand.continueHref}>
          <span className="min-w-0 wrap-anywhere">
            {rich('signIn.continueAs', { account: <UserText text={account.username} /> }, locale)}
          </span>
        </ButtonLink>
      </div>
      <Divider text={textIn(locale)('signIn.orAnother')} />
    </>
  );
}

/** The account chosen; its name goes along for the form and for password managers. */
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
