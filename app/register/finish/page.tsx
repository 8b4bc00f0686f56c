import { csrfOfRequest } from '#lib/endpoints/screens.ts';
import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { readNotice } from '#lib/identity/notice.ts';
import { passwordLengths, passwordLimits } from '#lib/identity/passwords.ts';
import { openAccountLink } from '#lib/identity/registration.ts';
import { sayKey, textIn } from '#lib/messages/text.ts';
import { one } from '../../one.ts';
import { MessageView } from '../../ui/views/message.tsx';
import { FinishView } from '../../ui/views/register.tsx';

type Props = { searchParams: Promise<{ token?: string | string[] }> };

export default async function FinishPage({ searchParams }: Props) {
  const token = one((await searchParams).token);
  const link = await openAccountLink(token, new Date());
  const text = textIn();
  if (!token || !link) {
    return (
      <MessageView
        kind="waiting"
        host={issuerHost()}
        title={text('finish.deadTitle')}
        text={text('finish.deadText')}
        action={{ href: '/login', label: text('finish.signIn') }}
      />
    );
  }
  const request = await pageRequest();
  const notice = await readNotice(request, '/register/finish');
  const say = (field: string) => sayKey(notice?.fieldErrors?.[field], passwordLengths);
  return (
    <FinishView
      host={issuerHost()}
      csrf={csrfOfRequest(request)}
      token={token}
      email={link.email}
      passwordLength={passwordLimits.min}
      values={notice?.values}
      fieldErrors={{ username: say('username'), name: say('name'), password: say('password') }}
    />
  );
}
