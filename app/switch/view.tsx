import { textIn } from '#lib/messages/text.ts';
import type { AppPage } from '#lib/store/app-page.ts';
import { SignInHead } from '../login/view.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Gate } from '../ui/gate.tsx';
import { Hidden } from '../ui/hidden.tsx';
import { stripBidi, UserText } from '../ui/user-text.tsx';
import type { ScreenProps } from '../ui/view-models.ts';
import type { Choice } from './screen.ts';

type SwitchProps = ScreenProps & {
  csrf: string;
  flow?: string;
  back?: string;
  app?: AppPage;
  accounts: readonly Choice[];
  /** Where to sign in with another account. */
  otherHref: string;
  /** Cancels with `access_denied`. */
  cancelHref?: string;
};

/** The accounts of this browser, each with a button to continue as it and one to forget it. */
export function SwitchView({ accounts, otherHref, cancelHref, ...props }: SwitchProps) {
  const { app, flow, host, locale } = props;
  const text = textIn(locale);
  return (
    <Gate title={text('switch.title')} host={host} accent={app?.accent} locale={locale}>
      <SignInHead app={app} title={text('switch.title')} locale={locale} />
      <ul className="-mx-2 grid divide-y divide-line">
        {accounts.map((account) => (
          <li key={account.id} className="flex items-center gap-1 py-1">
            <ToChoose account={account} {...props} />
            {account.state !== 'active' && <ToForget account={account} {...props} />}
          </li>
        ))}
      </ul>
      <div className="mt-5 grid gap-3">
        <ButtonLink kind="secondary" wide href={otherHref}>
          {text('switch.other')}
        </ButtonLink>
        {!flow && (
          <form method="post" action="/logout/submit">
            <Hidden fields={{ csrf: props.csrf, all: 'yes' }} />
            <Button kind="quiet" wide>
              {text('switch.all')}
            </Button>
          </form>
        )}
      </div>
      {cancelHref && (
        <p className="mt-4 text-center text-sm">
          <a className="gh-link inline-block py-1" href={cancelHref}>
            {text('signIn.cancelPlain')}
          </a>
        </p>
      )}
    </Gate>
  );
}

type AccountProps = Pick<SwitchProps, 'csrf' | 'flow' | 'back' | 'locale'> & { account: Choice };

const stateWords = {
  active: 'switch.active',
  kept: 'switch.kept',
  ended: 'switch.ended',
} as const satisfies Record<Choice['state'], string>;

function ToChoose({ account, csrf, flow, back, locale }: AccountProps) {
  const { user, state } = account;
  const name = user?.name || account.username;
  return (
    <form method="post" action="/switch/submit" className="min-w-0 flex-1">
      <Hidden fields={{ csrf, flow, back, account: account.id }} />
      <button
        type="submit"
        className="flex w-full cursor-pointer items-center gap-3 rounded-xl px-2 py-2.5 text-start hover:bg-accent-tint"
      >
        <Avatar
          id={account.id}
          name={name}
          image={user?.picture ?? undefined}
          className="size-10 text-base"
        />
        <span className="min-w-0 flex-1 text-sm leading-snug wrap-anywhere">
          <span className="block font-semibold">
            <UserText text={name} />
          </span>
          {user && (
            <span className="block text-ink-soft">
              <UserText text={user.email} />
            </span>
          )}
          <span className={state === 'ended' ? 'block text-ink-soft' : 'block text-accent'}>
            {textIn(locale)(stateWords[state])}
          </span>
        </span>
      </button>
    </form>
  );
}

function ToForget({ account, csrf, flow, back, locale }: AccountProps) {
  const text = textIn(locale);
  return (
    <form method="post" action="/switch/submit">
      <Hidden fields={{ csrf, flow, back, account: account.id, forget: 'yes' }} />
      <button
        type="submit"
        aria-label={text('switch.forgetLabel', { account: stripBidi(account.username) })}
        className="gh-link min-h-6 cursor-pointer px-2 py-2 text-sm"
      >
        {text('switch.forget')}
      </button>
    </form>
  );
}
