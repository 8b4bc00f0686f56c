import { csrfOfRequest } from '#lib/endpoints/screens.ts';
import { pageRequest } from '#lib/http/next.ts';
import { readNotice } from '#lib/identity/notice.ts';
import { passwordLengths, passwordLimits } from '#lib/identity/passwords.ts';
import { defaultLocale, sayKey, textIn } from '#lib/messages/text.ts';
import { listConnectedNames } from '#lib/store/connected-apps.ts';
import { requireUser } from '../guards.ts';
import { AccountFrame } from '../ui/account-frame.tsx';
import { Given, plain } from '../ui/given.tsx';
import { rich } from '../ui/rich.tsx';
import { HomeView } from '../ui/views/home.tsx';

/** The signed-in home: what there is to see and change, and the password. */
export default async function AccountPage() {
  const session = await requireUser();
  const request = await pageRequest();
  const text = textIn();
  const { user } = session;
  const notice = await readNotice(request, '/account');
  const say = (field: string) => sayKey(notice?.fieldErrors?.[field], passwordLengths);
  return (
    <AccountFrame
      at="/account"
      heading={rich('home.hello', { name: <Given text={user.name || user.username} /> })}
      lead={<Given text={user.email} />}
      isAdmin={user.isAdmin}
      done={sayKey(notice?.done)}
      refused={Boolean(notice?.fieldErrors)}
    >
      <HomeView
        csrf={csrfOfRequest(request)}
        username={user.username}
        apps={listed(await listConnectedNames(user.id)) ?? text('home.appsNone')}
        fieldErrors={{ current_password: say('current_password'), new_password: say('new_password') }}
        endAppTokens={notice?.values?.endAppTokens === 'true'}
        passwordLength={passwordLimits.min}
      />
    </AccountFrame>
  );
}

/** A few names as people list them: "A, B and 3 more". */
function listed(names: string[]): string | undefined {
  if (names.length === 0) return undefined;
  const text = textIn();
  const shown = names.slice(0, names.length > 3 ? 2 : 3).map((name) => plain(name).slice(0, 40));
  const more = names.length - shown.length;
  const parts = more > 0 ? [...shown, text('home.appsMore', { count: String(more) })] : shown;
  return new Intl.ListFormat(defaultLocale, { type: 'conjunction' }).format(parts);
}
