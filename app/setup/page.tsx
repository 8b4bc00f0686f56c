import { csrfOfRequest } from '#lib/endpoints/screens.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { readNotice } from '#lib/identity/notice.ts';
import { passwordLengths, passwordLimits } from '#lib/identity/passwords.ts';
import { isSetUpToken } from '#lib/identity/set-up.ts';
import { sayKey, textIn } from '#lib/messages/text.ts';
import { isSetUp } from '#lib/store/users.ts';
import { MessageView } from '../ui/views/message.tsx';
import { SetupView } from '../ui/views/setup.tsx';

type Props = { searchParams: Promise<{ token?: string | string[] }> };

export default async function SetupPage({ searchParams }: Props) {
  const { token } = await searchParams;
  const text = textIn();
  if (typeof token !== 'string' || !isSetUpToken(token) || (await isSetUp())) {
    return (
      <MessageView
        kind="info"
        title={text('setup.deadTitle')}
        text={text('setup.deadText')}
        action={{ href: '/', label: text('error.home') }}
      />
    );
  }
  const request = await pageRequest();
  const notice = await readNotice(request, 'setup');
  const say = (field: string) => sayKey(notice?.fieldErrors?.[field], passwordLengths);
  return (
    <SetupView
      host={issuerHost()}
      csrf={csrfOfRequest(request)}
      token={token}
      passwordLength={passwordLimits.min}
      values={notice?.values}
      fieldErrors={{ username: say('username'), email: say('email'), name: say('name'), password: say('password') }}
    />
  );
}
