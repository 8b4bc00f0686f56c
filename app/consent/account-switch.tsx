import type { ReactNode } from 'react';
import type { Locale } from '#lib/messages/locales.ts';
import { textIn } from '#lib/messages/text.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Hidden } from '../ui/hidden.tsx';
import { UserText } from '../ui/user-text.tsx';
import type { AccountSummary } from '../ui/view-models.ts';

type AccountSwitchProps = {
  account: AccountSummary;
  csrf: string;
  flow: string;
  locale: Locale;
};

export function AccountSwitch({ account, csrf, flow, locale }: AccountSwitchProps) {
  const text = textIn(locale);
  return (
    <AccountLine account={account} locale={locale}>
      <form method="post" action="/switch/submit">
        <Hidden fields={{ csrf, flow }} />
        <button
          type="submit"
          aria-label={text('consent.switchLabel')}
          className={`${switchClass} cursor-pointer`}
        >
          {text('consent.switch')}
        </button>
      </form>
    </AccountLine>
  );
}

export const switchClass = 'gh-link min-h-6 font-semibold whitespace-nowrap';

type AccountLineProps = Pick<AccountSwitchProps, 'account' | 'locale'> & {
  children?: ReactNode;
};

export function AccountLine({ account, locale, children }: AccountLineProps) {
  return (
    <div className="flex items-start gap-3 rounded-xl border border-line bg-sunken py-3 ps-3 pe-4">
      <Avatar
        id={account.id}
        name={account.name || account.username}
        image={account.picture}
        className="size-9 text-sm"
      />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-0.5 text-sm leading-snug">
        <p className="min-w-0 flex-auto">
          <span className="sr-only">{textIn(locale)('consent.account')} </span>
          <span className="block font-semibold">
            <UserText text={account.name || account.username} />
          </span>
          <span className="block text-ink-soft">
            <UserText text={account.email} />
          </span>
        </p>
        {children}
      </div>
    </div>
  );
}
