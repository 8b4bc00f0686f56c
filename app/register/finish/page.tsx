import { issuerHost, pageRequest } from '#lib/http/next.ts';
import { passwordLengths, passwordLimits } from '#lib/identity/passwords.ts';
import { openAccountLink } from '#lib/identity/registration.ts';
import { readFlash } from '#lib/interaction/flash.ts';
import { csrfOfRequest } from '#lib/interaction/page.ts';
import { termsForNewcomers } from '#lib/interaction/terms.ts';
import { sayIn, textIn } from '#lib/messages/text.ts';
import { pageLocale } from '../../locale.ts';
import { queryValue } from '../../params.ts';
import { MessageView } from '../../ui/message.tsx';
import { FinishView } from '../view.tsx';

type Props = { searchParams: Promise<{ token?: string | string[] }> };

export default async function FinishPage({ searchParams }: Props) {
  const token = queryValue((await searchParams).token);
  const link = await openAccountLink(token, new Date());
  const locale = await pageLocale();
  const say = sayIn(locale);
  const text = textIn(locale);
  if (!token || !link) {
    return (
      <MessageView
        locale={locale}
        kind="waiting"
        host={issuerHost()}
        title={text('finish.deadTitle')}
        text={text('finish.deadText')}
        action={{ href: '/login', label: text('finish.signIn') }}
      />
    );
  }
  const request = await pageRequest();
  const notice = await readFlash(request, '/register/finish');
  const fault = (field: string) => say(notice?.fieldErrors?.[field], passwordLengths);
  return (
    <FinishView
      locale={locale}
      host={issuerHost()}
      csrf={csrfOfRequest(request)}
      token={token}
      email={link.email}
      terms={await termsForNewcomers(new Date())}
      passwordLength={passwordLimits.min}
      values={notice?.values ?? link.invitee}
      fieldErrors={{
        username: fault('username'),
        name: fault('name'),
        password: fault('password'),
        terms: fault('terms'),
      }}
    />
  );
}
