import { textIn } from '#lib/messages/text.ts';
import { Avatar } from './avatar.tsx';
import { Hidden } from './hidden.tsx';
import type { AccountFace } from './views/types.ts';

export type AccountSwitchProps = { account: AccountFace; csrf: string; flow: string; locale?: string };

/** The account in use, and the way to another one that keeps the request. */
export function AccountSwitch({ account, csrf, flow, locale }: AccountSwitchProps) {
  const text = textIn(locale);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-xl border border-line bg-sunken px-3 py-2">
      <Avatar name={account.name || account.username} image={account.picture} className="size-9 text-sm" />
      <p className="min-w-0 flex-1 basis-36 text-sm leading-snug">
        <span className="sr-only">{text('consent.account')} </span>
        <bdi className="block font-semibold">{account.name || account.username}</bdi>
        <bdi className="block text-ink-soft">{account.email}</bdi>
      </p>
      <form method="post" action="/switch/submit">
        <Hidden fields={{ csrf, flow }} />
        <button
          type="submit"
          aria-label={text('consent.switchLabel')}
          className="gh-link cursor-pointer px-1 py-1.5 text-sm font-semibold whitespace-nowrap"
        >
          {text('consent.switch')}
        </button>
      </form>
    </div>
  );
}
