import { redirect } from 'next/navigation';
import { csrfOfRequest } from '#lib/endpoints/screens.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { readNotice } from '#lib/identity/notice.ts';
import { passwordLengths, passwordLimits } from '#lib/identity/passwords.ts';
import { readSession } from '#lib/identity/session.ts';
import { sayKey } from '#lib/messages/text.ts';
import { listGrantsOf } from '#lib/store/grants.ts';
import { HomeView } from '../ui/views/home.tsx';

/** The signed-in home: apps with access, and the password. */
export default async function AccountPage() {
  const request = await pageRequest();
  const { session } = await readSession(request, new Date());
  if (!session) redirect('/login');
  const notice = await readNotice(request, 'account');
  const apps = await listGrantsOf(session.user.id);
  const say = (field: string) => sayKey(notice?.fieldErrors?.[field], passwordLengths);
  return (
    <HomeView
      host={issuerHost()}
      csrf={csrfOfRequest(request)}
      account={{ ...session.user, name: session.user.name ?? undefined, picture: undefined }}
      apps={apps}
      homeHref="/account"
      mailHref="/account/mail"
      signOutHref="/logout"
      done={sayKey(notice?.done)}
      password={{
        fieldErrors: { current_password: say('current_password'), new_password: say('new_password') },
        endAppTokens: notice?.values?.endAppTokens === 'true',
      }}
      passwordLength={passwordLimits.min}
    />
  );
}
