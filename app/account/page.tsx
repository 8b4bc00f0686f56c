import { pageRequest } from '#lib/http/next.ts';
import { passwordLengths, passwordLimits } from '#lib/identity/passwords.ts';
import { readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { listIn } from '#lib/messages/format.ts';
import type { Locale } from '#lib/messages/locales.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { listConnectedNames } from '#lib/store/connected-apps.ts';
import { requireUser } from '../guards.ts';
import { pageLocale } from '../locale.ts';
import { Avatar } from '../ui/avatar.tsx';
import { rich } from '../ui/rich.tsx';
import { stripBidi, UserText } from '../ui/user-text.tsx';
import { waitIn } from '../wait.ts';
import { AccountFrame } from './ui/frame.tsx';
import { HomeView } from './view.tsx';

/** The account's start page. */
export default async function AccountPage() {
  const session = await requireUser();
  const locale = await pageLocale();
  const say = sayIn(locale);
  const request = await pageRequest();
  const text = textIn(locale);
  const { user } = session;
  const notice = await readFlash(request, '/account');
  const fault = (field: string) =>
    say(notice?.fieldErrors?.[field], { ...passwordLengths, wait: waitIn(locale, notice) });
  return (
    <AccountFrame
      locale={locale}
      at="/account"
      heading={
        <span className="flex flex-wrap items-center gap-x-4 gap-y-2 sm:flex-nowrap">
          <Avatar
            name={user.name || user.username}
            image={user.picture ?? undefined}
            className="size-14 text-2xl"
          />
          <span className="min-w-0 wrap-anywhere">
            {rich('home.hello', { name: <UserText text={user.name || user.username} /> }, locale)}
          </span>
        </span>
      }
      lead={<UserText text={user.email} />}
      isAdmin={user.isAdmin}
      done={say(notice?.done)}
      refused={Boolean(notice?.fieldErrors)}
    >
      <HomeView
        locale={locale}
        csrf={csrfOfRequest(request)}
        username={user.username}
        apps={listed(await listConnectedNames(user.id), locale) ?? text('home.appsNone')}
        fieldErrors={{
          current_password: fault('current_password'),
          new_password: fault('new_password'),
        }}
        endAppTokens={notice?.values?.endAppTokens === 'true'}
        passwordLength={passwordLimits.min}
      />
    </AccountFrame>
  );
}

/** A few names as people list them: "A, B and 3 more". */
function listed(names: string[], locale: Locale): string | undefined {
  if (names.length === 0) return undefined;
  const text = textIn(locale);
  const shown = names.slice(0, names.length > 3 ? 2 : 3).map((name) => shortened(stripBidi(name)));
  const more = names.length - shown.length;
  const parts = more > 0 ? [...shown, text('home.appsMore', { count: String(more) })] : shown;
  return listIn(locale, parts);
}

function shortened(name: string): string {
  return name.length <= 40 ? name : `${name.slice(0, 38).trim()}…`;
}
